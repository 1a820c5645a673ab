/**
 * With LATE_ANSWERS=60 every answer is delayed by up to 60 ms. A test that does not wait for an answer before it checks
 * the effect then fails on an idle machine too.
 */
export function delayAnswers() {
  const most = Number(process.env.LATE_ANSWERS ?? 0);
  if (!most) return;
  const answered = globalThis.fetch;
  // Keeps the real `setTimeout`, because tests may replace it by a fake one.
  const later = globalThis.setTimeout;
  globalThis.fetch = async (...request) => {
    const answer = await answered(...request);
    await new Promise((resolve) => later(resolve, Math.random() * most));
    return answer;
  };
}
