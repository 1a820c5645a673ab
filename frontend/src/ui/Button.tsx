import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Link } from 'react-router-dom';
import styles from './Button.module.css';

type Tone = 'primary' | 'plain' | 'quiet' | 'danger';

interface Look {
  tone?: Tone;
  wide?: boolean;
  small?: boolean;
}

function look({ tone = 'plain', wide, small }: Look): string {
  return [styles.button, styles[tone], wide && styles.wide, small && styles.small].filter(Boolean).join(' ');
}

interface ButtonProps extends Look, ButtonHTMLAttributes<HTMLButtonElement> {
  /** While an action runs, its button shows this text and takes no further click. */
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
      // Not `disabled`: that would throw the keyboard's focus away in the middle of an action.
      aria-disabled={pending || rest['aria-disabled']}
      // A field left by this press would show its error, move the button away and so swallow the click.
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
  /** The target is a file to be kept, not a page. */
  download?: boolean;
  children: ReactNode;
}

/** A link that leaves the pages: another program, or a file. */
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
