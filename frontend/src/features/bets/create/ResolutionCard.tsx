import type { ResolutionMethod } from '../../../api/types';
import type { Form } from '../../../lib/useForm';
import { commonTexts } from '../../../texts/common';
import { createTexts as texts } from '../../../texts/create';
import { Card } from '../../../ui/Card';
import { ChoiceGroup, Field, inputClass } from '../../../ui/Field';
import { ExpiryFields } from './ExpiryFields';
import type { BetForm } from './form';

const METHODS = [
  { value: 'Mutual Agreement', ...texts.mutual },
  { value: 'Manual Verification', ...texts.manual },
] as const;

export function ResolutionCard({ form }: { form: Form<BetForm> }) {
  return (
    <Card title={texts.resolution}>
      <ChoiceGroup<ResolutionMethod>
        legend={texts.method}
        name="resolutionMethod"
        columns
        value={form.values.resolutionMethod || null}
        onChange={(method) => void form.setFieldValue('resolutionMethod', method)}
        options={METHODS}
        error={form.errorOf('resolutionMethod')}
      />
      <ExpiryFields form={form} />
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
    </Card>
  );
}
