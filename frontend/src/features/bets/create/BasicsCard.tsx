import type { Form } from '../../../lib/useForm';
import { CATEGORIES } from '../../../texts/categories';
import { commonTexts } from '../../../texts/common';
import { createTexts as texts } from '../../../texts/create';
import { Card } from '../../../ui/Card';
import { Field, inputClass, selectClass } from '../../../ui/Field';
import { CompleteIdea, GenerateIdea } from '../ideas/IdeaButtons';
import { useIdeas } from '../ideas/useIdeas';
import { Fold } from './Fold';
import type { BetForm } from './form';

export function BasicsCard({ form, userId }: { form: Form<BetForm>; userId: string }) {
  const ideas = useIdeas(form, userId);
  return (
    <Card title={texts.basics}>
      <GenerateIdea ideas={ideas} />
      <Field label={texts.titleLabel} error={form.errorOf('title')}>
        {(control) => (
          <input
            {...control}
            {...form.field('title')}
            className={inputClass}
            placeholder={texts.titlePlaceholder}
            autoComplete="off"
          />
        )}
      </Field>
      <CompleteIdea ideas={ideas} />
      <Fold label={texts.details} summary={texts.detailsSummary} mustShow={needsDetails(form)}>
        <Field label={texts.description} optional={commonTexts.optional} error={form.errorOf('description')}>
          {(control) => (
            <textarea
              {...control}
              {...form.field('description')}
              className={inputClass}
              placeholder={texts.descriptionPlaceholder}
            />
          )}
        </Field>
        <Field label={texts.category} optional={commonTexts.optional} error={form.errorOf('category')}>
          {(control) => (
            <select {...control} {...form.field('category')} className={selectClass}>
              <option value="">{texts.noCategory}</option>
              {CATEGORIES.map((category) => (
                <option key={category}>{category}</option>
              ))}
            </select>
          )}
        </Field>
      </Fold>
    </Card>
  );
}

/** Whether the folded fields have a value or an error. */
function needsDetails(form: Form<BetForm>): boolean {
  return (['description', 'category'] as const).some(
    (name) => form.values[name] !== '' || form.errorOf(name),
  );
}
