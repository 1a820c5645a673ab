import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Link } from 'react-router-dom';
import styles from './Button.module.css';

type Tone = 'primary' | 'plain' | 'quiet' | 'danger';

export interface Look {
  tone?: Tone;
  wide?: boolean;
  small?: boolean;
}

function look({ tone = 'plain', wide, small }: Look): string {
  return [styles.button, styles[tone], wide && styles.wide, small && styles.small].filter(Boolean).join(' ');
}

interface ButtonProps extends Look, ButtonHTMLAttributes<HTMLButtonElement> {
  /** While an action runs, its button shows this text and ignores clicks. */
  pendingLabel?: string | undefined;
  pending?: boolean;
}

export function Button({
  tone,
  wide,
  small,
  pending,
  pendingLabel,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={look({ ...(tone && { tone }), ...(wide && { wide }), ...(small && { small }) })}
      // `aria-disabled` instead of `disabled`, because a disabled button would lose the focus during an action.
      aria-disabled={pending || rest['aria-disabled']}
      // Keeps the focus in the field while a submit button is pressed. Otherwise the blur would show the error of the
      // field, the error would move the button, and the click would miss the button.
      onMouseDown={(event) => rest.type === 'submit' && event.preventDefault()}
      onClick={(event) => {
        if (pending) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {pending && pendingLabel ? pendingLabel : children}
    </button>
  );
}

interface ButtonAnchorProps extends Look {
  href: string;
  /** Whether the target is a file to download and not a page. */
  download?: boolean;
  children: ReactNode;
}

/** A link to another program or to a file. */
export function ButtonAnchor({ href, download, children, ...rest }: ButtonAnchorProps) {
  return (
    <a href={href} className={look(rest)} download={download}>
      {children}
    </a>
  );
}

interface ButtonLinkProps extends Look {
  to: string;
  children: ReactNode;
  onClick?: () => void;
}

export function ButtonLink({ to, children, onClick, ...rest }: ButtonLinkProps) {
  return (
    <Link to={to} className={look(rest)} {...(onClick && { onClick })}>
      {children}
    </Link>
  );
}
