/**
 * With LATE_ANSWERS=60 every answer comes up to 60 ms late. A test that checks the effect of an answer without
 * waiting for it then also fails on an idle machine.
 */
export function delayAnswers() {
  const most = Number(process.env.LATE_ANSWERS ?? 0);
  if (!most) return;
  const answered = globalThis.fetch;
  // Kept here, because tests may replace `setTimeout` by a fake.
  const later = globalThis.setTimeout;
  globalThis.fetch = async (...request) => {
    const answer = await answered(...request);
    await new Promise((resolve) => later(resolve, Math.random() * most));
    return answer;
  };
}
