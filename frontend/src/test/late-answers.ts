/**
 * With LATE_ANSWERS=60 every answer comes up to 60 ms late. A test that looks once at what an answer causes, instead of
 * waiting for it, then fails on an idle machine too.
 */
export function delayAnswers() {
  const most = Number(process.env.LATE_ANSWERS ?? 0);
  if (!most) return;
  const answered = globalThis.fetch;
  // Tests that set their own clock do not stop this one.
  const later = globalThis.setTimeout;
  globalThis.fetch = async (...request) => {
    const answer = await answered(...request);
    await new Promise((resolve) => later(resolve, Math.random() * most));
    return answer;
  };
}
