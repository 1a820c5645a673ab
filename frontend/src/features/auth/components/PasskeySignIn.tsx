import { useState } from 'react';
import { write } from '../../../api/client';
import { noteOwedPassword } from '../../../api/owed-password';
import type { User } from '../../../api/types';
import { type Failure, useAction } from '../../../api/useAction';
import {
  askPasskey,
  type Ceremony,
  knowsPasskeys,
  type PasskeyAnswer,
  passkeyFailure,
} from '../../../lib/passkeys';
import { fullLoad } from '../../../lib/paths';
import { passkeyTexts } from '../../../texts/passkeys';
import { Button } from '../../../ui/Button';
import { toast } from '../../../ui/toast-store';

const texts = passkeyTexts.signIn;

interface PasskeySignInProps {
  /** The path of the page that opens after the sign-in. */
  next: string;
  /** Gets the ceremony from the server. */
  begin: () => Promise<Ceremony>;
  finish: (answer: PasskeyAnswer) => Promise<User>;
  onError?: Failure['onError'];
}

/** A button that signs the user in with a passkey. */
export function PasskeySignIn({ next, begin, finish, onError = () => false }: PasskeySignInProps) {
  const [leaving, setLeaving] = useState(false);
  const action = useAction(
    async () => {
      if (!knowsPasskeys()) return toast(texts.failed, passkeyTexts.unknown, 'destructive');
      const ceremony = await begin();
      let answer: PasskeyAnswer;
      try {
        answer = await askPasskey(ceremony);
      } catch (error) {
        return toast(texts.failed, passkeyFailure(error), 'destructive');
      }
      const user = await finish(answer);
      noteOwedPassword(user.mustChangePassword);
      setLeaving(true);
      fullLoad(next);
    },
    { title: texts.failed, fallback: texts.fallback, onError, isSignIn: true },
  );
  return (
    <Button
      wide
      pending={action.pending || leaving}
      pendingLabel={texts.pending}
      onClick={() => void action.run()}
    >
      {texts.button}
    </Button>
  );
}

/** Signs in without e-mail address and password. */
export function PasskeyAlone({ next }: { next: string }) {
  return (
    <PasskeySignIn
      next={next}
      begin={() => write<Ceremony>('POST', '/api/auth/login/passkey/options')}
      finish={(answer) => write<User>('POST', '/api/auth/login/passkey', answer)}
    />
  );
}
