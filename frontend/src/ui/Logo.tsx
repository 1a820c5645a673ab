/** The logo: a bet slip with a notch at the top and the bottom, where its two halves meet, and a bolt in the middle. */
export function Logo({ size = 32 }: { size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" focusable="false">
      <path
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        d="M4 8a3 3 0 0 1 3-3h5.6a3.4 3.4 0 0 0 6.8 0H25a3 3 0 0 1 3 3v16a3 3 0 0 1-3 3h-5.6a3.4 3.4 0 0 0-6.8 0H7a3 3 0 0 1-3-3z"
      />
      <path fill="var(--accent)" d="M17.4 9.5 10.6 17.3h4.7l-1 5.4 7-7.9h-4.8z" />
    </svg>
  );
}
