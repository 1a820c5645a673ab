export const secondStepTexts = {
  lead: 'Enter the code that your authenticator app shows.',
  code: 'Code from the app',
  recoveryLead: 'Enter one of the recovery codes that you saved. Each works once.',
  recoveryCode: 'Recovery code',
  required: 'A code is required',
  signIn: 'Sign In',
  signingIn: 'Signing In...',
  useRecovery: 'Use a recovery code',
  useCode: 'Use the app',
  back: 'Back to the password',
  failed: 'Login Failed',
  fallback: 'The code could not be checked',
};
