export const stepUpTexts = {
  title: 'Confirm It Is You',
  lead: 'Enter a code from your authenticator app or a recovery code. Then we don’t ask again for 5 minutes.',
  code: 'Code',
  required: 'A code is required',
  confirm: 'Confirm',
  confirming: 'Confirming...',
  failedTitle: 'Not Confirmed',
  failed: 'The code could not be checked',
};
