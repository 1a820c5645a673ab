export const passkeyTexts = {
  cancelled: 'Your browser gave no passkey. Nothing has changed, and you can try again.',
  known: 'This device has a passkey of your account already.',
  wrongAddress: 'Passkeys work only at the public address of this site.',
  failed: 'Your browser could not use a passkey.',
  unknown: 'This browser can’t use passkeys. Update it, or try another one.',
  signIn: {
    button: 'Sign in with a passkey',
    pending: 'Waiting for your passkey...',
    failed: 'Login Failed',
    fallback: 'The passkey could not be checked',
  },
  proof: {
    button: 'Use a passkey',
    pending: 'Waiting for your passkey...',
    failedTitle: 'Not Confirmed',
    failed: 'The passkey could not be checked',
  },
};
