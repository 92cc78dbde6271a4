import { useSearch } from '@tanstack/react-router'
import { Check, CirclePlus, Search, X } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { type Suggested, useSuggestions } from '../api/suggestions.ts'
import { formatPeriod, formatShort, readMinute, writeMinute, type Zone } from '../text/format.ts'
import { WORDS } from '../text/words.ts'
import { Button } from '../ui/button.tsx'
import { Combobox } from '../ui/combobox.tsx'
import { cx } from '../ui/cx.ts'
import { Field, Input } from '../ui/field.tsx'
import { Popover } from '../ui/popover.tsx'
import { usePreference } from '../ui/preference.ts'
import { type AnyValues, type Fields, type Field as Filter, periodOf } from './address.ts'
import styles from './filter-bar.module.css'
import { Options } from './options.tsx'
import { PeriodEditor } from './period-editor.tsx'

type BarProps = {
  fields: Fields
  values: AnyValues
  onChange(change: AnyValues, how?: 'push' | 'replace'): void
  onClear(): void
  filtered: boolean
  /** Buttons at the end of the bar. */
  children: ReactNode
}

/** The search field and the filters of a list. */
export function FilterBar({ fields, values, onChange, onClear, filtered, children }: BarProps): ReactNode {
  const names = Object.keys(fields)
  const search = names.find((name) => fields[name]?.search)
  const searchField = search === undefined ? undefined : fields[search]
  return (
    <div className={styles.bar}>
      {search !== undefined && searchField !== undefined && (
        <SearchField
          label={searchField.placeholder ?? searchField.label}
          value={String(values[search] ?? '')}
          onChange={(text, how) => onChange({ [search]: text === '' ? undefined : text }, how)}
        />
      )}
      <search className={styles.filters} aria-label={WORDS.list.filters}>
        <div className={styles.chips}>
          {names.map((name) => {
            const field = fields[name]
            if (field === undefined || name === search || (field.rare === true && !isSet(values[name]))) return null
            return <Chip key={name} field={field} value={values[name]} onChange={(value) => onChange({ [name]: value })} />
          })}
        </div>
        {filtered && (
          <Button tone="quiet" size="small" onClick={onClear}>
            {WORDS.list.clearFilters}
          </Button>
        )}
      </search>
      <div className={styles.tools}>{children}</div>
    </div>
  )
}

function isSet(value: Value): boolean {
  return value !== undefined && value !== false
}

type SearchProps = {
  label: string
  value: string
  onChange(text: string, how: 'push' | 'replace'): void
}

/** Changes the address 250 ms after the last key, and at once for Enter. */
function SearchField({ label, value, onChange }: SearchProps): ReactNode {
  const [draft, setDraft] = useState<string | undefined>(undefined)
  const commit = useEffectEvent((text: string) => {
    onChange(text.trim(), 'replace')
    setDraft(undefined)
  })
  useEffect(() => {
    if (draft === undefined) return
    const timer = setTimeout(() => commit(draft), 250)
    return () => clearTimeout(timer)
  }, [draft])
  return (
    <div className={styles.search}>
      <Input
        type="search"
        icon={<Search />}
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={label}
        spellCheck={false}
        autoComplete="off"
        value={draft ?? value}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          onChange(event.currentTarget.value.trim(), 'push')
          setDraft(undefined)
        }}
      />
    </div>
  )
}

type Value = AnyValues[string]
type ChipProps = { field: Filter; value: Value; onChange(value: Value): void }

/** One filter. Without a value it is dashed; with one it shows the value and a button that removes it. */
function Chip({ field, value, onChange }: ChipProps): ReactNode {
  const { kind, label } = field
  const [zone] = usePreference('zone')
  if (kind === 'flag') {
    return (
      <button
        type="button"
        className={cx(styles.chip, styles.flag, value === true && styles.on)}
        aria-pressed={value === true}
        onClick={() => onChange(value !== true)}
      >
        {value === true ? <Check aria-hidden="true" /> : <CirclePlus aria-hidden="true" />}
        {label}
      </button>
    )
  }
  const set = value !== undefined
  const text = set ? shown(field, value, zone) : undefined
  const removable = set && String(value) !== field.default
  return (
    <span className={cx(styles.chip, set && styles.on)}>
      <Popover
        label={label}
        opener={(props) => (
          <button type="button" {...props} className={styles.open}>
            {!set && <CirclePlus aria-hidden="true" />}
            <span>{kind === 'period' && set ? undefined : label}</span>
            {text !== undefined && <span className={styles.value}>{text}</span>}
          </button>
        )}
      >
        {(close) => (
          <Editor
            field={field}
            value={value}
            onChange={(next) => {
              close()
              onChange(next)
            }}
          />
        )}
      </Popover>
      {removable && (
        <button type="button" className={styles.remove} aria-label={WORDS.list.removeFilter(label)} onClick={() => onChange(undefined)}>
          <X aria-hidden="true" />
        </button>
      )}
    </span>
  )
}

function Editor({ field, value, onChange }: ChipProps): ReactNode {
  switch (field.kind) {
    case 'enum':
      return <Options options={(field.values ?? []).map((one) => [one, field.names?.[one] ?? one])} value={value} onChange={onChange} />
    case 'period':
      return <PeriodEditor field={field} value={value} onChange={onChange} />
    case 'text':
      if (field.suggests !== undefined) return <SuggestingEditor field={field} what={field.suggests} value={value} onChange={onChange} />
      return <TextEditor field={field} value={value} onChange={onChange} />
    case 'flag':
    case 'number':
    case 'time':
      return <TextEditor field={field} value={value} onChange={onChange} />
  }
}

/** A text that is chosen from what exists, or typed. */
function SuggestingEditor({ field, what, value, onChange }: ChipProps & { what: Suggested }): ReactNode {
  const [text, setText] = useState<string | undefined>(undefined)
  const { app_key: appKey } = useSearch({ strict: false }) as { app_key?: string }
  const { options, loading } = useSuggestions(what, text, appKey)
  return (
    <div className={styles.suggesting}>
      <Field label={field.label}>
        <Combobox
          free
          eager
          shown={String(value ?? '')}
          options={options}
          loading={loading}
          none={text === '' ? WORDS.list.typeToSuggest : WORDS.list.noSuggestion}
          placeholder={field.placeholder}
          onSearch={setText}
          onChoose={(chosen) => onChange(chosen === '' ? undefined : chosen)}
        />
      </Field>
    </div>
  )
}

function TextEditor({ field, value, onChange }: ChipProps): ReactNode {
  const time = field.kind === 'time'
  const [zone] = usePreference('zone')
  const [draft, setDraft] = useState(time && value !== undefined ? writeMinute(new Date(String(value)), zone) : String(value ?? ''))
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        const text = draft.trim()
        onChange(text === '' ? undefined : time ? readMinute(text, zone).toISOString() : field.kind === 'number' ? Number(text) : text)
      }}
    >
      <Field label={field.label}>
        <Input
          type={time ? 'datetime-local' : field.kind === 'number' ? 'number' : 'text'}
          placeholder={field.placeholder}
          spellCheck={false}
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
        />
      </Field>
      <Button type="submit" tone="accent" size="small">
        {WORDS.common.apply}
      </Button>
    </form>
  )
}

/** The value of a filter as its chip and the export show it. */
export function shown(field: Filter, value: Value, zone: Zone): string {
  const text = String(value)
  if (field.kind === 'flag') return WORDS.list.yes
  if (field.kind === 'time') return formatShort(new Date(text), new Date(), zone)
  if (field.kind !== 'period') return field.names?.[text] ?? text
  if (WORDS.periods[text] !== undefined) return WORDS.periods[text]
  const now = new Date()
  const { since, until } = periodOf(text, now)
  return until === undefined ? text : formatPeriod(since, until, now, zone)
}
