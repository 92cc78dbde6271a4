import { type ReactNode, useState } from 'react'
import { formatCount } from '../../text/format.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/empty.tsx'
import { Choice, Field, TextArea } from '../../ui/field.tsx'
import { Group } from '../../ui/section.tsx'
import { hasEntries } from './draft.ts'
import { FieldViews, FormContext } from './field-view.tsx'
import styles from './playground.module.css'
import { useShape } from './shape.tsx'
import type { Form } from './use-form.ts'
import { PLAY } from './words.ts'

const { form: words } = PLAY
/** Optional fields beyond this number are hidden at first. */
const MOST_OPTIONAL = 6
/** So many fields are shown in any case, so that a form without required fields is not empty. */
const FEWEST = 4

/** The form of a function, or its arguments as JSON. `notice` stands above the fields. */
export function FormView({ form, notice }: { form: Form; notice: ReactNode }): ReactNode {
  const [all, setAll] = useState(false)
  const [refused, setRefused] = useState<string | undefined>(undefined)
  const { draft, mode, json, problems, origins, missing, complete } = form
  const shape = useShape(form.shapes, draft, form.setDraft, (name) => problems[name])
  const fields = form.fields.filter(({ name }) => shape.isShown(name))
  const optional = fields.filter(({ required }) => !required)
  const folds = optional.length > MOST_OPTIONAL
  const first = optional.slice(0, Math.max(0, FEWEST - (fields.length - optional.length)))
  const isShown = (name: string) => hasEntries(draft[name]) || Object.keys(problems).some((path) => path.split(/[.[]/)[0] === name)
  const shown = fields.filter((field) => field.required || !folds || all || first.includes(field) || isShown(field.name))
  const hidden = fields.length - shown.length
  return (
    <Group
      title={words.title}
      actions={
        <Choice
          label={words.mode}
          value={mode}
          choices={(Object.keys(words.modes) as Form['mode'][]).map((value) => ({ value, label: words.modes[value] }))}
          onChange={(value) => setRefused(form.setMode(value))}
        />
      }
    >
      <div className={styles.stack}>
        {notice}
        {!complete && <Notice tone="info">{words.notKept}</Notice>}
        {mode === 'json' && (
          <Field label={words.json} error={refused ?? inOneText(problems)}>
            <TextArea
              mono
              rows={10}
              spellCheck={false}
              value={json}
              onChange={(event) => {
                setRefused(undefined)
                form.setJson(event.target.value)
              }}
            />
          </Field>
        )}
        {mode === 'form' && shape.select}
        {mode === 'form' && form.fields.length === 0 && <p className={styles.note}>{words.none}</p>}
        {mode === 'form' && (
          <FormContext value={{ problems, origins, missing }}>
            <FieldViews fields={shown} within="" draft={draft} onChange={form.setDraft} />
          </FormContext>
        )}
        {mode === 'form' && folds && (hidden > 0 || all) && (
          <div>
            <Button size="small" aria-expanded={all} onClick={() => setAll(!all)}>
              {all ? words.fewer : words.more(formatCount(hidden, words.optional.one, words.optional.other))}
            </Button>
          </div>
        )}
        {hasEntries(draft) && mode === 'form' && (
          <div>
            <Button tone="quiet" size="small" onClick={form.clear}>
              {words.clear}
            </Button>
          </div>
        )}
      </div>
    </Group>
  )
}

function inOneText(problems: Readonly<Record<string, string>>): string | undefined {
  const all = Object.entries(problems).map(([path, text]) => (path === '$' ? text : `${path}: ${text}`))
  return all.length === 0 ? undefined : all.join('; ')
}
