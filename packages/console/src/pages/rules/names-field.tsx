import { X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { functions } from '../../api/doors.ts'
import { listCatalog, searchFunctions } from '../../api/endpoints.ts'
import { useWorkspaceId } from '../../api/me.ts'
import { useRead } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Combobox, type ComboOption } from '../../ui/combobox.tsx'
import { Field } from '../../ui/field.tsx'
import styles from './rules.module.css'
import { RULES } from './words.ts'

const { form: words } = RULES
const MAX_OPTIONS = 50

type NamesProps = { names: readonly string[]; onChange(names: readonly string[]): void }

/** The apps of a rule, chosen from the catalog. */
export function AppsField({ names, onChange }: NamesProps): ReactNode {
  const [search, setSearch] = useState('')
  const { data, loading } = useRead(functions, listCatalog, { query: { workspace_id: useWorkspaceId() } })
  const wanted = search.toLowerCase()
  const options = (data?.apps ?? [])
    .filter(({ name, title }) => !names.includes(name) && `${name} ${title}`.toLowerCase().includes(wanted))
    .map(({ name, title }) => ({ value: name, label: title, note: name }))
  const texts = { label: words.apps, placeholder: words.addApp, none: words.noApps }
  return <NamesField {...texts} names={names} options={options} loading={loading} onSearch={setSearch} onChange={onChange} />
}

/** The functions of a rule, found by a search in the catalog. */
export function FunctionsField({ names, onChange }: NamesProps): ReactNode {
  const [search, setSearch] = useState('')
  const query = { search, page_size: MAX_OPTIONS }
  const { data, loading } = useRead(functions, searchFunctions, { query }, { enabled: search !== '' })
  const found = search === '' ? [] : (data?.functions ?? [])
  const options = found
    .filter(({ name }) => !names.includes(name))
    .map(({ name, title, app }) => ({ value: name, label: name, note: `${title} · ${app}` }))
  const texts = { label: words.functions, placeholder: words.addFunction, none: words.noFunctions }
  return <NamesField {...texts} names={names} options={options} loading={loading} onSearch={setSearch} onChange={onChange} />
}

type FieldProps = NamesProps & {
  label: string
  placeholder: string
  none: string
  options: readonly ComboOption[]
  loading: boolean
  onSearch(text: string): void
}

function NamesField({ label, placeholder, none, names, options, loading, onSearch, onChange }: FieldProps): ReactNode {
  return (
    <div className={styles.group}>
      <Field label={label} help={words.all}>
        <Combobox
          shown=""
          placeholder={placeholder}
          none={none}
          options={options.slice(0, MAX_OPTIONS)}
          loading={loading}
          onSearch={onSearch}
          onChoose={(name) => name !== '' && onChange([...names, name])}
        />
      </Field>
      {names.length > 0 && (
        <ul aria-label={label} className={styles.chips}>
          {names.map((name) => (
            <li key={name} className={styles.chip}>
              {name}
              <Button
                tone="quiet"
                size="small"
                icon={<X />}
                aria-label={words.removeOne(name)}
                onClick={() => onChange(names.filter((one) => one !== name))}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
