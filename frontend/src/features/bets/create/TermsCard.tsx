import type { Currency, Side, User } from '../../../api/types';
import { amountOf } from '../../../lib/amount';
import { CURRENCIES, currencySpecs, formatNumber } from '../../../lib/money';
import type { Form } from '../../../lib/useForm';
import { shortfallTexts } from '../../../texts/bets';
import { createTexts as texts } from '../../../texts/create';
import { Button } from '../../../ui/Button';
import { Card } from '../../../ui/Card';
import { ChoiceGroup, Field, inputClass } from '../../../ui/Field';
import { SatsNote } from '../../../ui/Unit';
import { shortfallOf, shortfallWords, WaysToGet } from '../components/Shortfall';
import styles from './create.module.css';
import { type BetForm, mostStake } from './form';
import { OddsFields } from './OddsFields';
import { Picks } from './Picks';

/** The stakes that the form offers as buttons. */
const STAKES: Record<Currency, readonly number[]> = {
  bolts: [10, 50, 100, 250],
  sats: [100, 500, 1000, 5000],
};

const CHOICES = CURRENCIES.map((currency) => {
  const { label, detail, testDetail } = texts.currencies[currency];
  return {
    value: currency,
    label,
    detail: testDetail ? <SatsNote test={testDetail} real={detail} /> : detail,
  };
});

interface TermsCardProps {
  form: Form<BetForm>;
  user: User;
}

export function TermsCard({ form, user }: TermsCardProps) {
  const { optionA, optionB } = form.values;
  return (
    <Card title={texts.terms}>
      <div className={styles.pair}>
        <OptionField
          form={form}
          name="optionA"
          label={texts.optionA}
          placeholder={texts.optionAPlaceholder}
        />
        <OptionField
          form={form}
          name="optionB"
          label={texts.optionB}
          placeholder={texts.optionBPlaceholder}
        />
      </div>
      <ChoiceGroup<Side>
        legend={texts.yourSide}
        name="creatorOption"
        columns
        value={form.values.creatorOption}
        onChange={(side) => void form.setFieldValue('creatorOption', side)}
        options={[
          { value: 'A', label: texts.sideEmpty('A'), detail: optionA.trim(), tone: 'a' },
          { value: 'B', label: texts.sideEmpty('B'), detail: optionB.trim(), tone: 'b' },
        ]}
      />
      <ChoiceGroup<Currency>
        legend={texts.currency}
        name="currencyType"
        columns
        value={form.values.currencyType}
        onChange={(currency) => void form.setFieldValue('currencyType', currency)}
        options={CHOICES}
      />
      <StakeField form={form} user={user} />
      <OddsFields form={form} />
    </Card>
  );
}

/** The field for the stake. If the balance is too low, the field says so at once and links to ways to get more. */
function StakeField({ form, user }: TermsCardProps) {
  const { currencyType, stakeAmount } = form.values;
  const stake = amountOf(stakeAmount);
  const missing = Number.isSafeInteger(stake) ? shortfallOf(user, stake, currencyType) : 0;
  const words = missing > 0 ? shortfallWords(stake, missing, currencyType) : undefined;
  return (
    <>
      <Field label={texts.stake} hint={texts.stakeHint} error={form.errorOf('stakeAmount') ?? words}>
        {(control) => (
          <input
            {...control}
            {...form.field('stakeAmount')}
            className={inputClass}
            type="text"
            inputMode="numeric"
            autoComplete="off"
          />
        )}
      </Field>
      <StakePresets form={form} user={user} />
      {missing > 0 && (
        <p className={styles.ways}>
          <WaysToGet
            currency={currencyType}
            practise={
              <Button small onClick={() => void form.setFieldValue('currencyType', 'bolts')}>
                {shortfallTexts.practiseHere}
              </Button>
            }
          />
        </p>
      )}
    </>
  );
}

/** Buttons for usual stakes and for the whole balance. Stakes above the balance cannot be chosen. */
function StakePresets({ form, user }: TermsCardProps) {
  const { currencyType, stakeAmount } = form.values;
  const most = mostStake(user, currencyType);
  const pick = (label: string, stake: number) => ({
    label,
    pressed: amountOf(stakeAmount) === stake,
    disabled: stake > most || stake < currencySpecs[currencyType].leastStake,
    onPick: () => void form.setFieldValue('stakeAmount', String(stake)),
  });
  const usual = STAKES[currencyType].map((stake) => pick(formatNumber(stake), stake));
  return <Picks legend={texts.stakePresets} picks={[...usual, pick(texts.max, most)]} />;
}

interface OptionFieldProps {
  form: Form<BetForm>;
  name: 'optionA' | 'optionB';
  label: string;
  placeholder: string;
}

function OptionField({ form, name, label, placeholder }: OptionFieldProps) {
  return (
    <Field label={label} error={form.errorOf(name)}>
      {(control) => (
        <input
          {...control}
          {...form.field(name)}
          className={inputClass}
          placeholder={placeholder}
          autoComplete="off"
        />
      )}
    </Field>
  );
}
