import { type FormEvent, useEffect, useState } from 'react';
import { write } from '../api/client';
import { keyOf } from '../api/keys';
import { useSession } from '../api/session';
import type { Problem } from '../api/types';
import { useAction } from '../api/useAction';
import { useApi } from '../api/useApi';
import {
  askPasskey,
  type Ceremony,
  knowsPasskeys,
  type PasskeyAnswer,
  passkeyFailure,
} from '../lib/passkeys';
import { proofOf } from '../lib/proof';
import { passkeyTexts } from '../texts/passkeys';
import { stepUpTexts as texts } from '../texts/step-up';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { Field, inputClass } from '../ui/Field';
import page from '../ui/page.module.css';
import { toast } from '../ui/toast-store';

/** Whether the answer demands the second factor. The caller still needs the body of the answer. */
async function isDemanded(response: Response): Promise<boolean> {
  if (response.status !== 403) return false;
  try {
    const { code } = (await response.clone().json()) as Partial<Problem>;
    return code === 'step_up_required';
  } catch {
    return false;
  }
}

type Answer = (isProved: boolean) => void;

/**
 * Asks for the second factor when an action needs it, and sends the action again after the proof. The gate wraps `fetch`,
 * so that the code that every visitor loads first needs nothing for it.
 */
export function StepUpGate() {
  const [answer, setAnswer] = useState<Answer | null>(null);
  useEffect(() => {
    const { fetch } = window;
    const ask = () => new Promise<boolean>((resolve) => setAnswer(() => resolve));
    window.fetch = async (...call) => {
      const response = await fetch(...call);
      return (await isDemanded(response)) && (await ask()) ? fetch(...call) : response;
    };
    return () => {
      window.fetch = fetch;
    };
  }, []);
  function close(isProved: boolean) {
    answer?.(isProved);
    setAnswer(null);
  }
  return (
    <Dialog open={answer !== null} title={texts.title} onClose={() => close(false)}>
      <Passkey onProved={() => close(true)} />
      <ProofForm onProved={() => close(true)} />
    </Dialog>
  );
}

/** Whether the user has a passkey that works, or may have one. */
function useMayHavePasskey(): boolean {
  // The server refuses this read until the user has changed a one-time password.
  const owes = useSession().user?.mustChangePassword;
  const { data: factors, error } = useApi(owes ? null : keyOf('/api/auth/factors'));
  return Boolean(owes || error || factors?.passkeys.some(({ isDisabled }) => !isDisabled));
}

/** A button for a proof with a passkey, if the user may have one and the browser knows passkeys. */
function Passkey({ onProved }: { onProved: () => void }) {
  const mayHaveOne = useMayHavePasskey();
  const action = useAction(
    async () => {
      const ceremony = await write<Ceremony>('POST', '/api/auth/step-up/options');
      let passkey: PasskeyAnswer;
      try {
        passkey = await askPasskey(ceremony);
      } catch (error) {
        return toast(passkeyTexts.proof.failedTitle, passkeyFailure(error), 'destructive');
      }
      await write('POST', '/api/auth/step-up', { passkey });
      onProved();
    },
    { title: passkeyTexts.proof.failedTitle, fallback: passkeyTexts.proof.failed },
  );
  if (!knowsPasskeys() || !mayHaveOne) return null;
  return (
    <div>
      <Button
        tone="primary"
        pending={action.pending}
        pendingLabel={passkeyTexts.proof.pending}
        onClick={() => void action.run()}
      >
        {passkeyTexts.proof.button}
      </Button>
    </div>
  );
}

/** A form without `useForm`, whose library would triple the code that every page of a user loads. */
function ProofForm({ onProved }: { onProved: () => void }) {
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  const action = useAction(
    async () => {
      await write('POST', '/api/auth/step-up', proofOf(code));
      onProved();
    },
    {
      title: texts.failedTitle,
      fallback: texts.failed,
      onError: ({ fields: [first] }) => {
        setError(first?.message);
        return first !== undefined;
      },
    },
  );
  function submit(event: FormEvent) {
    event.preventDefault();
    if (code.trim()) void action.run();
    else setError(texts.required);
  }
  return (
    <form noValidate className={page.stack} onSubmit={submit}>
      <p>{texts.lead}</p>
      <Field label={texts.code} error={error}>
        {(control) => (
          <input
            {...control}
            name="code"
            value={code}
            onChange={({ target }) => {
              setCode(target.value);
              setError(undefined);
            }}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            className={inputClass}
          />
        )}
      </Field>
      <div>
        <Button type="submit" tone="primary" pending={action.pending} pendingLabel={texts.confirming}>
          {texts.confirm}
        </Button>
      </div>
    </form>
  );
}
