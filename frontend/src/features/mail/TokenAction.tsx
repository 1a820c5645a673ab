import { type ReactNode, useState } from 'react';
import { useAction } from '../../api/useAction';
import { mailTexts } from '../../texts/mail';
import { Button } from '../../ui/Button';
import { MessagePage } from '../../ui/MessagePage';

interface TokenActionProps {
  texts: { title: string; lead: string; button: string; pending: string; failed: string; done: string };
  token: string;
  act: (token: string) => Promise<unknown>;
  /** Shown after the success. */
  after: ReactNode;
}

/** A page that does one thing with the token of a mail, after a click: programs that scan mails open links too. */
export function TokenAction({ texts, token, act, after }: TokenActionProps) {
  const [isDone, setDone] = useState(false);
  const action = useAction(
    async () => {
      await act(token);
      setDone(true);
    },
    { title: texts.failed },
  );
  if (!token) return <MessagePage title={mailTexts.incomplete.title} message={mailTexts.incomplete.text} />;
  if (isDone)
    return (
      <MessagePage title={texts.done} message="">
        {after}
      </MessagePage>
    );
  return (
    <MessagePage title={texts.title} message={texts.lead}>
      <Button
        tone="primary"
        pending={action.pending}
        pendingLabel={texts.pending}
        onClick={() => action.run()}
      >
        {texts.button}
      </Button>
    </MessagePage>
  );
}
