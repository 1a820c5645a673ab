import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { object, string } from 'yup';
import { ApiError } from '../api/client';
import { renderApp } from '../test/render';
import { Field } from '../ui/Field';
import { useForm } from './useForm';

interface Person {
  name: string;
  town: string;
}

type Options = Partial<Parameters<typeof useForm<Person>>[0]>;

const refusal = (...fields: { field: string; message: string }[]) =>
  new ApiError(422, 'invalid', 'Check the form.', { errors: [...fields] });

function PersonForm(options: Options) {
  const form = useForm<Person>({
    initialValues: { name: '', town: 'Paris' },
    checks: object({ name: string().required('A name, please'), town: string() }),
    send: async () => {},
    title: 'Not saved',
    ...options,
  });
  return (
    <form {...form.props}>
      {(['name', 'town'] as const).map((name) => (
        <Field key={name} label={name} error={form.errorOf(name)}>
          {(control) => <input {...control} {...form.field(name)} />}
        </Field>
      ))}
      <button type="submit">Save</button>
    </form>
  );
}

const name = () => screen.getByLabelText('name');
const town = () => screen.getByLabelText('town');
const save = () => screen.getByRole('button', { name: 'Save' });

describe('the checks', () => {
  it('run when a field is left', async () => {
    const { user } = renderApp(<PersonForm />);
    await user.click(name());
    await user.tab();
    await waitFor(() => expect(name()).toHaveAccessibleDescription('A name, please'));
  });

  it('run only on submit if the form says so, and their errors stay until the field changes', async () => {
    const send = vi.fn();
    const { user } = renderApp(<PersonForm checkedOn="submit" send={send} />);
    await user.click(name());
    await user.tab();
    expect(name()).toBeValid();
    await user.click(save());
    await waitFor(() => expect(name()).toHaveAccessibleDescription('A name, please'));
    await waitFor(() => expect(name()).toHaveFocus());
    await user.type(town(), 'x');
    expect(name()).toBeInvalid();
    await user.type(name(), 'A');
    expect(name()).toBeValid();
    expect(send).not.toHaveBeenCalled();
  });

  it('move the focus also if a frame comes before the marks are rendered', async () => {
    const frames = vi.spyOn(window, 'requestAnimationFrame').mockImplementation((act) => {
      act(0);
      return 0;
    });
    const { user } = renderApp(<PersonForm />);
    await user.click(save());
    await waitFor(() => expect(name()).toBeInvalid());
    await waitFor(() => expect(name()).toHaveFocus());
    frames.mockRestore();
  });

  it('may be a function', async () => {
    const checks = ({ town: typed }: Person) => (typed === 'Paris' ? { town: 'Another town, please' } : {});
    const { user } = renderApp(<PersonForm checks={checks} />);
    await user.click(save());
    await waitFor(() => expect(town()).toHaveAccessibleDescription('Another town, please'));
    await waitFor(() => expect(town()).toHaveFocus());
  });

  it('are followed by a refusal of all values together, which is a toast', async () => {
    const send = vi.fn();
    const { user } = renderApp(
      <PersonForm refuse={() => ({ title: 'Stop', text: 'Not now' })} send={send} />,
    );
    await user.type(name(), 'Ada');
    await user.click(save());
    expect(await screen.findByText('Not now')).toBeVisible();
    expect(send).not.toHaveBeenCalled();
  });
});

describe('a submit', () => {
  it('sends the values once, however often the button is pressed meanwhile', async () => {
    let end = () => {};
    const send = vi.fn(
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
    );
    const { user } = renderApp(<PersonForm send={send} />);
    await user.type(name(), 'Ada');
    await user.dblClick(save());
    await waitFor(() => expect(send).toHaveBeenCalledWith({ name: 'Ada', town: 'Paris' }));
    await user.click(save());
    end();
    await user.click(save());
    await waitFor(() => expect(send).toHaveBeenCalledTimes(2));
  });

  it('asks first if the form asks, and sends nothing by itself', async () => {
    const [ask, send] = [vi.fn(), vi.fn()];
    const { user } = renderApp(<PersonForm ask={ask} send={send} />);
    await user.click(save());
    await waitFor(() => expect(name()).toBeInvalid());
    await user.type(name(), 'Ada');
    await user.click(save());
    await waitFor(() => expect(ask.mock.calls).toEqual([[{ name: 'Ada', town: 'Paris' }]]));
    expect(send).not.toHaveBeenCalled();
  });
});

describe("the server's errors", () => {
  it('stand at their fields until these change, and the first one gets the focus', async () => {
    const send = vi.fn().mockRejectedValueOnce(refusal({ field: 'town', message: 'No such town' }));
    const { user } = renderApp(<PersonForm send={send} />);
    await user.type(name(), 'Ada');
    await user.click(save());
    await waitFor(() => expect(town()).toHaveAccessibleDescription('No such town'));
    expect(await screen.findByText('Check the form.')).toBeVisible();
    await waitFor(() => expect(town()).toHaveFocus());
    await user.tab();
    expect(town()).toBeInvalid();
    await user.type(town(), 'x');
    await user.tab();
    await waitFor(() => expect(town()).toBeValid());
  });

  it('are given to the fields that the form names', async () => {
    const send = vi.fn().mockRejectedValue(refusal({ field: 'place', message: 'No such town' }));
    const { user } = renderApp(
      <PersonForm
        send={send}
        problemsOf={({ fields }) => fields.map(({ message }) => ({ field: 'town', message }))}
      />,
    );
    await user.type(name(), 'Ada');
    await user.click(save());
    await waitFor(() => expect(town()).toHaveAccessibleDescription('No such town'));
  });

  it('from before the form was there are shown at once', async () => {
    renderApp(
      <PersonForm
        initialValues={{ name: 'Ada', town: 'Paris' }}
        refused={[{ field: 'town', message: 'No such town' }]}
      />,
    );
    await waitFor(() => expect(town()).toHaveAccessibleDescription('No such town'));
    await waitFor(() => expect(town()).toHaveFocus());
  });
});
