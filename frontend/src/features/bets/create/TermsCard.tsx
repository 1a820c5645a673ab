import type { Currency, Side } from '../../../api/types';
import { createTexts as texts } from '../../../texts/create';
import { Card } from '../../../ui/Card';
import { ChoiceGroup, Field, inputClass } from '../../../ui/Field';
import { SatsNote, TestTag } from '../../../ui/Unit';
import styles from './create.module.css';
import { errorOf } from './errors';
import type { BetFormik } from './useBetForm';

const CURRENCIES = [
  { value: 'bolts', ...texts.bolts },
  {
    value: 'sats',
    label: (
      <>
        {texts.sats.label} <TestTag currency="sats" />
      </>
    ),
    detail: <SatsNote test={texts.testSats} real={texts.sats.detail} />,
  },
] as const;

export function TermsCard({ form }: { form: BetFormik }) {
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
        options={CURRENCIES}
      />
      <Field label={texts.stake} hint={texts.stakeHint} error={errorOf(form, 'stakeAmount')}>
        {(control) => (
          <input
            {...control}
            {...form.getFieldProps('stakeAmount')}
            className={inputClass}
            type="text"
            inputMode="numeric"
            autoComplete="off"
          />
        )}
      </Field>
    </Card>
  );
}

interface OptionFieldProps {
  form: BetFormik;
  name: 'optionA' | 'optionB';
  label: string;
  placeholder: string;
}

function OptionField({ form, name, label, placeholder }: OptionFieldProps) {
  return (
    <Field label={label} error={errorOf(form, name)}>
      {(control) => (
        <input
          {...control}
          {...form.getFieldProps(name)}
          className={inputClass}
          placeholder={placeholder}
          autoComplete="off"
        />
      )}
    </Field>
  );
}
