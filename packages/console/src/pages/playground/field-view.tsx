import type { Alternative } from '@onward/contract'
import { Plus, X } from 'lucide-react'
import { createContext, type ReactNode, use } from 'react'
import { readMinute, writeMinute, zoneName } from '../../text/format.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, Input, Field as Labelled, Select, TextArea } from '../../ui/field.tsx'
import { Row, Stack } from '../../ui/page.tsx'
import { usePreference } from '../../ui/preference.ts'
import { type Draft, type Entry, isGroup, isList } from './draft.ts'
import type { Field } from './fields.ts'
import styles from './playground.module.css'
import { useShape } from './shape.tsx'
import { SourceField } from './source-field.tsx'
import { PLAY } from './words.ts'

const { form: words } = PLAY

/** What the fields of a form share. */
type FormFacts = {
  readonly problems: Readonly<Record<string, string>>
  readonly origins: Readonly<Record<string, string>>
  readonly missing: readonly string[]
}

export const FormContext = createContext<FormFacts>({ problems: {}, origins: {}, missing: [] })

type ViewProps = { field: Field; path: string; entry: Entry; onChange(entry: Entry): void }

type GroupProps = {
  fields: readonly Field[]
  shapes?: readonly Alternative[]
  within: string
  draft: Draft
  onChange(draft: Draft): void
}

/** The fields of a function or of a group. */
export function FieldViews({ fields, shapes = [], within, draft, onChange }: GroupProps): ReactNode {
  const { problems } = use(FormContext)
  const pathOf = (name: string) => (within === '' ? name : `${within}.${name}`)
  const { isShown, select } = useShape(shapes, draft, onChange, (name) => problems[pathOf(name)])
  return (
    <>
      {select}
      {fields
        .filter(({ name }) => isShown(name))
        .map((field) => (
          <FieldView
            key={field.name}
            field={field}
            path={pathOf(field.name)}
            entry={draft[field.name]}
            onChange={(entry) => onChange({ ...draft, [field.name]: entry })}
          />
        ))}
    </>
  )
}

/** A field that may be null has a checkbox for it, in place of its control while it is null. */
function FieldView(props: ViewProps): ReactNode {
  const { field, path, entry, onChange } = props
  const { problems } = use(FormContext)
  if (!field.nullable) return <ValueView {...props} />
  return (
    <Stack gap={2}>
      {entry !== null && <ValueView {...props} />}
      <Checkbox
        label={words.sendNull(field.label)}
        checked={entry === null}
        onChange={(event) => onChange(event.target.checked ? null : undefined)}
      />
      {entry === null && problems[path] !== undefined && <ProblemText text={problems[path]} />}
    </Stack>
  )
}

function ValueView(props: ViewProps): ReactNode {
  const { field, path, entry } = props
  const { problems, origins } = use(FormContext)
  if (field.many) return <ListView {...props} />
  if (field.kind === 'group') return <GroupView {...props} />
  const origin = origins[path]
  return (
    <Labelled
      label={<FieldLabel field={field} />}
      optional={!field.required}
      error={problems[path]}
      help={<FieldHelp field={field} origin={entry === undefined ? undefined : origin} />}
    >
      <Control {...props} />
    </Labelled>
  )
}

function FieldLabel({ field }: { field: Field }): ReactNode {
  return (
    <span className={styles.fieldName}>
      {field.label}
      <code>{field.name}</code>
    </span>
  )
}

function FieldHelp({ field, origin }: { field: Field; origin: string | undefined }): ReactNode {
  const parts = [origin === undefined ? undefined : words.predicted(origin), field.help, defaultOf(field)].filter(
    (part) => part !== undefined && part !== '',
  )
  return parts.length === 0 ? undefined : parts.join(' · ')
}

function defaultOf({ defaultValue }: Field): string | undefined {
  if (defaultValue === undefined) return undefined
  return words.defaultValue(typeof defaultValue === 'string' ? defaultValue : JSON.stringify(defaultValue))
}

/** The control for one value. `label` names it where no visible label does. */
function Control({ field, entry, onChange, label }: ViewProps & { label?: string }): ReactNode {
  const value = typeof entry === 'string' ? entry : ''
  const set = (text: string) => onChange(text === '' ? undefined : text)
  const shared = { value, 'aria-label': label, placeholder: field.placeholder }
  switch (field.kind) {
    case 'line':
      return <Input {...shared} autoComplete="off" onChange={(event) => set(event.target.value)} />
    case 'date':
      return <Input {...shared} type={isDate(value) ? 'date' : 'text'} onChange={(event) => set(event.target.value)} />
    case 'moment':
      return <Moment value={value} label={label} set={set} />
    case 'number':
      return <Input {...shared} autoComplete="off" inputMode="decimal" onChange={(event) => set(event.target.value)} />
    case 'lines':
      return <TextArea {...shared} onChange={(event) => set(event.target.value)} />
    case 'json':
      return <TextArea {...shared} mono spellCheck={false} placeholder={words.jsonExample} onChange={(event) => set(event.target.value)} />
    case 'choice':
      return (
        <Select value={value} aria-label={label} onChange={(event) => set(event.target.value)}>
          <option value="">{field.required ? words.choose : words.notSent}</option>
          {field.options.map((option) => (
            <option key={String(option.id)} value={String(option.id)}>
              {option.value}
            </option>
          ))}
        </Select>
      )
    case 'flag':
      return (
        <Select value={value} aria-label={label} onChange={(event) => set(event.target.value)}>
          <option value="">{field.required ? words.choose : words.notSent}</option>
          <option value="true">{words.yes}</option>
          <option value="false">{words.no}</option>
        </Select>
      )
    case 'source':
      return <SourceField field={field} value={value} onChange={set} />
    case 'group':
      return <Inner field={field} within={field.path} entry={entry} onChange={onChange} />
  }
}

/** Whether an input of the type `date` can show it. */
const isDate = (text: string) => text === '' || /^\d{4}-\d\d-\d\d$/.test(text)

/** A time, entered in the zone that is shown and sent in UTC. A text that is no time stays a text. */
function Moment({ value, label, set }: { value: string; label: string | undefined; set(text: string): void }): ReactNode {
  const [zone] = usePreference('zone')
  const at = new Date(value)
  if (value !== '' && Number.isNaN(at.getTime())) {
    return <Input aria-label={label} value={value} autoComplete="off" onChange={(event) => set(event.target.value)} />
  }
  return (
    <Row>
      <Input
        type="datetime-local"
        aria-label={label}
        value={value === '' ? '' : writeMinute(at, zone)}
        onChange={({ target }) => set(target.value === '' ? '' : readMinute(target.value, zone).toISOString())}
      />
      <span className={styles.optional}>{zoneName(value === '' ? new Date() : at, zone)}</span>
    </Row>
  )
}

function Inner({ field, within, entry, onChange }: Omit<ViewProps, 'path'> & { within: string }): ReactNode {
  const { fields, shapes } = field
  return <FieldViews fields={fields} shapes={shapes} within={within} draft={isGroup(entry) ? entry : {}} onChange={onChange} />
}

function GroupView({ field, path, entry, onChange }: ViewProps): ReactNode {
  const { problems } = use(FormContext)
  return (
    <fieldset className={styles.group}>
      <legend>
        <FieldLabel field={field} />
        {!field.required && <span className={styles.optional}>optional</span>}
      </legend>
      {field.help !== '' && <p className={styles.note}>{field.help}</p>}
      {problems[path] !== undefined && <ProblemText text={problems[path]} />}
      <div className={styles.inner}>
        <Inner field={field} within={path} entry={entry} onChange={onChange} />
      </div>
    </fieldset>
  )
}

/** A list: one control for each item. */
function ListView({ field, path, entry, onChange }: ViewProps): ReactNode {
  const { problems, origins } = use(FormContext)
  const items = isList(entry) ? entry : []
  const set = (next: readonly Entry[]) => onChange(next.length === 0 ? undefined : next)
  const help = [entry === undefined || origins[path] === undefined ? '' : words.predicted(origins[path]), field.help].filter(Boolean)
  return (
    <fieldset className={styles.group}>
      <legend>
        <FieldLabel field={field} />
        {!field.required && <span className={styles.optional}>optional</span>}
      </legend>
      {help.length > 0 && <p className={styles.note}>{help.join(' · ')}</p>}
      {problems[path] !== undefined && <ProblemText text={problems[path]} />}
      {items.map((item, at) => {
        const place = `${path}[${at}]`
        const name = words.item(field.label, at + 1)
        const change = (next: Entry) => onChange(items.map((one, index) => (index === at ? next : one)))
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: items have no identity but their place
          <div key={at} className={styles.listItem}>
            <div className={styles.listValue}>
              <span aria-hidden={field.kind !== 'group'} className={styles.note}>
                {name}
              </span>
              {field.kind === 'group' ? (
                <Inner field={field} within={place} entry={item} onChange={change} />
              ) : (
                <Control field={field} path={place} entry={item} onChange={change} label={name} />
              )}
              {problems[place] !== undefined && <ProblemText text={problems[place]} />}
            </div>
            <Button
              tone="quiet"
              icon={<X />}
              aria-label={words.remove(name)}
              title={words.remove(name)}
              onClick={() => set(items.filter((_, index) => index !== at))}
            />
          </div>
        )
      })}
      <div>
        <Button size="small" icon={<Plus />} onClick={() => set([...items, field.kind === 'group' ? {} : ''])}>
          {words.add(field.label)}
        </Button>
      </div>
    </fieldset>
  )
}

function ProblemText({ text }: { text: string }): ReactNode {
  return (
    <p className={styles.problem} role="alert">
      {text}
    </p>
  )
}
