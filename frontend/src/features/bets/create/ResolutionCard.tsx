import type { ResolutionMethod } from '../../../api/types';
import type { Form } from '../../../lib/useForm';
import { commonTexts } from '../../../texts/common';
import { createTexts as texts } from '../../../texts/create';
import { Card } from '../../../ui/Card';
import { ChoiceGroup, Field, inputClass } from '../../../ui/Field';
import { ArbiterField } from './ArbiterField';
import { ExpiryFields } from './ExpiryFields';
import { Fold } from './Fold';
import { type BetForm, EMPTY_BET } from './form';

const METHODS = [
  { value: 'Mutual Agreement', ...texts.mutual },
  { value: 'Manual Verification', ...texts.manual },
] as const;

export function ResolutionCard({ form }: { form: Form<BetForm> }) {
  return (
    <Card title={texts.resolution}>
      <ExpiryFields form={form} />
      <Fold label={texts.ruling} summary={texts.rulingSummary} mustShow={needsRuling(form)}>
        <ChoiceGroup<ResolutionMethod>
          legend={texts.method}
          name="resolutionMethod"
          columns
          value={form.values.resolutionMethod || null}
          onChange={(method) => void form.setFieldValue('resolutionMethod', method)}
          options={METHODS}
          error={form.errorOf('resolutionMethod')}
        />
        <Field
          label={texts.source}
          optional={commonTexts.optional}
          hint={texts.sourceHint}
          error={form.errorOf('sourceUrl')}
        >
          {(control) => (
            <input
              {...control}
              {...form.field('sourceUrl')}
              className={inputClass}
              type="url"
              placeholder={texts.sourcePlaceholder}
            />
          )}
        </Field>
        <ArbiterField form={form} />
      </Fold>
    </Card>
  );
}

/** Whether the folded fields have an error or another value than those of most bets. */
function needsRuling(form: Form<BetForm>): boolean {
  return (['resolutionMethod', 'sourceUrl', 'arbiter'] as const).some(
    (name) => form.values[name] !== EMPTY_BET[name] || form.errorOf(name),
  );
}
