import { Globe, Link2, type LucideIcon, Scale, Sparkles, Target, Zap } from 'lucide-react';
import { type Path, useLocation } from 'react-router-dom';
import { useIsTestMode } from '../../api/config';
import { useSession } from '../../api/session';
import { authPath } from '../../lib/paths';
import { commonTexts } from '../../texts/common';
import { landingTexts as texts } from '../../texts/landing';
import { Button, ButtonLink } from '../../ui/Button';
import { PageHeading } from '../../ui/Heading';
import styles from './Landing.module.css';

const ICONS: readonly LucideIcon[] = [Target, Zap, Sparkles, Link2, Scale, Globe];

export function Landing() {
  const { error, retry } = useSession();
  return (
    <div className={styles.page}>
      {error && (
        <p className={styles.notice} role="status">
          {texts.unreachable} <Button onClick={retry}>{commonTexts.tryAgain}</Button>
        </p>
      )}
      <section className={styles.hero}>
        <div className={styles.words}>
          <PageHeading className={styles.title}>{texts.hero}</PageHeading>
          <p className={styles.lead}>{texts.lead}</p>
          <CallButtons />
        </div>
        <SampleSlip />
      </section>
      <Features />
      <Steps />
      <section className={styles.closing}>
        <h2>{texts.closingTitle}</h2>
        <p>{texts.closing}</p>
        <CallButtons />
      </section>
      <p className={styles.copyright}>{texts.copyright}</p>
    </div>
  );
}

/** The path of the sign-up side of the sign-in page. */
function signUpPath(from: Path): string {
  const [page, next] = authPath(from).split('?');
  return `${page}?new${next ? `&${next}` : ''}`;
}

function CallButtons() {
  const { user } = useSession();
  const here = useLocation();
  if (user) {
    return (
      <div className={styles.calls}>
        <ButtonLink to="/create-bet" tone="primary">
          {texts.create}
        </ButtonLink>
        <ButtonLink to="/marketplace">{texts.toMarket}</ButtonLink>
      </div>
    );
  }
  return (
    <div className={styles.calls}>
      <ButtonLink to={signUpPath(here)} tone="primary">
        {texts.getStarted}
      </ButtonLink>
      <ButtonLink to={authPath(here)}>{texts.signIn}</ButtonLink>
    </div>
  );
}

function Features() {
  const isTestMode = useIsTestMode();
  return (
    <section aria-labelledby="features" className={styles.section}>
      <h2 id="features">{texts.featuresTitle}</h2>
      <ul className={styles.features}>
        {texts.features.map((feature, index) => {
          const Icon = ICONS[index] ?? Target;
          return (
            <li key={feature.title}>
              <Icon size={24} aria-hidden="true" />
              <h3>{feature.title}</h3>
              <p>{feature.text}</p>
            </li>
          );
        })}
      </ul>
      {isTestMode && <p className={styles.testSats}>{texts.testSats}</p>}
    </section>
  );
}

function Steps() {
  return (
    <section aria-labelledby="steps" className={styles.section}>
      <h2 id="steps">{texts.stepsTitle}</h2>
      <ol className={styles.steps}>
        {texts.steps.map((step) => (
          <li key={step.title}>
            <h3>{step.title}</h3>
            <p>{step.text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** An example of a bet slip with one taken half and one open half. */
function SampleSlip() {
  const { sample } = texts;
  return (
    <figure className={styles.sample} aria-label={sample.label}>
      <p className={styles.sampleTitle}>{sample.title}</p>
      <div className={styles.halves}>
        <div className={styles.made}>
          <span className={styles.letter}>A</span>
          <span className={styles.option}>{sample.a}</span>
          <span className={styles.holder}>{sample.maker}</span>
        </div>
        <div className={styles.open}>
          <span className={styles.letter}>B</span>
          <span className={styles.option}>{sample.b}</span>
          <span className={styles.holder}>{sample.stub}</span>
        </div>
      </div>
      <p className={styles.samplePot}>
        <span>{sample.pot}</span> <b>{sample.potFigure}</b> <span>{sample.unit}</span>
      </p>
    </figure>
  );
}
