import { amountOf } from '../../../lib/amount';
import { formatMoney, formatNumber } from '../../../lib/money';
import type { Form } from '../../../lib/useForm';
import { createTexts } from '../../../texts/create';
import { Button } from '../../../ui/Button';
import { Field, inputClass } from '../../../ui/Field';
import styles from './create.module.css';
import { Fold } from './Fold';
import type { BetForm } from './form';
import { opponentStakeOf, ownOdds, suggestedOdds } from './odds';

const texts = createTexts.odds;

/** The opponent's stake and the odds. The user types one of them, and the other one shows the result. */
export function OddsFields({ form }: { form: Form<BetForm> }) {
  const { opponentStake, odds, stakeAmount } = form.values;
  const suggested = suggestedOdds(form.values);
  const isSet = opponentStake.trim() !== '' || odds.trim() !== '';
  const against = opponentStakeOf(form.values);
  return (
    <Fold
      label={texts.label}
      summary={texts.summary}
      mustShow={isSet || suggested !== '' || Boolean(form.errorOf('opponentStake'))}
    >
      <div className={styles.pair}>
        <Field label={texts.opponentStake} error={form.errorOf('opponentStake')}>
          {(control) => (
            <input
              {...control}
              {...form.field('opponentStake')}
              value={odds.trim() === '' ? opponentStake : shown(against)}
              placeholder={stakeAmount}
              onChange={({ target }) => void set(target.value, '')}
              className={inputClass}
              type="text"
              inputMode="numeric"
              autoComplete="off"
            />
          )}
        </Field>
        <Field label={texts.odds} hint={texts.oddsHint} error={form.errorOf('odds')}>
          {(control) => (
            <input
              {...control}
              {...form.field('odds')}
              value={opponentStake.trim() === '' ? odds : shown(ownOdds(form.values))}
              placeholder="2"
              onChange={({ target }) => void set('', target.value)}
              className={inputClass}
              type="text"
              inputMode="decimal"
              autoComplete="off"
            />
          )}
        </Field>
      </div>
      {suggested !== '' && suggested !== odds && (
        <p className={styles.suggested}>
          {texts.suggested(suggested)}
          <Button small onClick={() => void set('', suggested)}>
            {texts.useSuggested}
          </Button>
        </p>
      )}
      <Sides form={form} against={against} />
    </Fold>
  );

  function set(opponentStake: string, odds: string) {
    return form.setValues({ ...form.values, opponentStake, odds });
  }
}

function shown(value: number): string {
  return Number.isFinite(value) ? String(value) : '';
}

/** What each side pays and can win. */
function Sides({ form, against }: { form: Form<BetForm>; against: number }) {
  const stake = amountOf(form.values.stakeAmount);
  if (!(stake > 0 && against > 0)) return null;
  const { currencyType: currency } = form.values;
  return (
    <p className={styles.sides} aria-live="polite">
      <span>{texts.you(formatMoney(stake, currency), formatNumber(against))}</span>
      <span>{texts.they(formatMoney(against, currency), formatNumber(stake))}</span>
    </p>
  );
}
