import { commonTexts } from '../../../texts/common';
import { createTexts as texts } from '../../../texts/create';
import { CATEGORIES } from '../../../texts/market';
import { Card } from '../../../ui/Card';
import { Field, inputClass, selectClass } from '../../../ui/Field';
import { CompleteIdea, GenerateIdea } from '../ideas/IdeaButtons';
import { useIdeas } from '../ideas/useIdeas';
import { errorOf } from './errors';
import type { BetFormik } from './useBetForm';

export function BasicsCard({ form }: { form: BetFormik }) {
  const ideas = useIdeas(form);
  return (
    <Card title={texts.basics}>
      <GenerateIdea ideas={ideas} />
      <Field label={texts.titleLabel} error={errorOf(form, 'title')}>
        {(control) => (
          <input
            {...control}
            {...form.getFieldProps('title')}
            className={inputClass}
            placeholder={texts.titlePlaceholder}
            autoComplete="off"
          />
        )}
      </Field>
      <CompleteIdea ideas={ideas} />
      <Field label={texts.description} optional={commonTexts.optional} error={errorOf(form, 'description')}>
        {(control) => (
          <textarea
            {...control}
            {...form.getFieldProps('description')}
            className={inputClass}
            placeholder={texts.descriptionPlaceholder}
          />
        )}
      </Field>
      <Field label={texts.category} optional={commonTexts.optional} error={errorOf(form, 'category')}>
        {(control) => (
          <select {...control} {...form.getFieldProps('category')} className={selectClass}>
            <option value="">{texts.noCategory}</option>
            {CATEGORIES.map((category) => (
              <option key={category}>{category}</option>
            ))}
          </select>
        )}
      </Field>
    </Card>
  );
}
