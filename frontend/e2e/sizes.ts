/** The windows of a computer and of a phone, in px. */
export const WIDE = { width: 1280, height: 900 };
export const PHONE = { width: 390, height: 844 };

/** The looks that the short form of screens.spec.ts does not scan. It scans the dark theme at 360 px. */
export const UNSCANNED_LOOKS = [
  { theme: 'dark', width: 1280 },
  { theme: 'light', width: 360 },
  { theme: 'light', width: 1280 },
] as const;
