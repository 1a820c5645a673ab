import { expect, test, vi } from 'vitest';
import { object, string, ValidationError } from 'yup';
import { lateChecks } from './late-checks';

const schemas = { nameSchema: object({ name: string().required('A name, please') }) };
const pick = ({ nameSchema }: typeof schemas) => nameSchema;

test('judge by the schema once it has come', async () => {
  const checks = lateChecks(async () => schemas, pick);
  await expect(checks.validate({ name: 'Ada' })).resolves.toEqual({ name: 'Ada' });
  await expect(checks.validate({ name: '' })).rejects.toThrow(ValidationError);
});

test('leave the judgement to the server where their code does not come, and ask for it again', async () => {
  const load = vi.fn<() => Promise<typeof schemas>>().mockRejectedValueOnce(new Error('offline'));
  load.mockResolvedValue(schemas);
  const checks = lateChecks(load, pick);
  await expect(checks.validate({ name: '' })).resolves.toBeUndefined();
  await expect(checks.validate({ name: '' })).rejects.toThrow('A name, please');
});

test('come ahead with longer and longer pauses, and a last failure is not told', async () => {
  vi.useFakeTimers();
  try {
    const load = vi.fn<() => Promise<typeof schemas>>().mockRejectedValue(new Error('gone'));
    const fetched = lateChecks(load, pick).fetch();
    await vi.runAllTimersAsync();
    await expect(fetched).resolves.toBeUndefined();
    expect(load).toHaveBeenCalledTimes(4);
  } finally {
    vi.useRealTimers();
  }
});
