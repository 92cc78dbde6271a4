import type { PolicyRule } from '@onward/contract'
import type { ReactNode } from 'react'
import { Checkbox, Choice, Field, Input, Select } from '../../ui/field.tsx'
import { LinesField } from './lines-field.tsx'
import { AppsField, FunctionsField } from './names-field.tsx'
import { linesOfLock, linesOfSchema, lockOf, OPERATORS, schemaOf } from './rule-lines.ts'
import styles from './rules.module.css'
import { RULES } from './words.ts'

const { form: words } = RULES

type FormProps = { rule: PolicyRule; onChange(rule: PolicyRule): void; onUnfinished(field: string, unfinished: boolean): void }

/** The fields of one rule. A condition that is empty is left out of the rule; fields that it does not know stay as they are. */
export function RuleForm({ rule, onChange, onUnfinished }: FormProps): ReactNode {
  const set = (change: Partial<PolicyRule>) => {
    const entries = Object.entries({ ...rule, ...change }).filter(([, value]) => value !== undefined && value !== '' && !isEmpty(value))
    onChange(Object.fromEntries(entries) as PolicyRule)
  }
  const { destructive } = rule
  return (
    <div className={styles.body}>
      <div className={styles.group}>
        <Choice
          label={words.result}
          value={rule.result}
          choices={(['allow', 'ask', 'deny'] as const).map((value) => ({ value, label: RULES.results[value] }))}
          onChange={(result) => set({ result })}
        />
        <p className={styles.help}>{words.resultHelp[rule.result]}</p>
      </div>
      <div className={styles.pair}>
        <AppsField names={rule.apps ?? []} onChange={(apps) => set({ apps: [...apps] })} />
        <FunctionsField names={rule.functions ?? []} onChange={(functions) => set({ functions: [...functions] })} />
      </div>
      {(rule.result !== 'allow' || rule.lock !== undefined) && <p className={styles.help}>{words.passthrough}</p>}
      <div className={styles.pair}>
        <Ticks label={words.types} names={RULES.typeNames} ticked={rule.types ?? []} onChange={(types) => set({ types })} />
        <Ticks label={words.via} names={RULES.originNames} ticked={rule.via ?? []} onChange={(via) => set({ via })} />
        <Field label={words.destructive}>
          <Select
            value={destructive === undefined ? 'any' : destructive ? 'yes' : 'no'}
            onChange={(event) => set({ destructive: event.target.value === 'any' ? undefined : event.target.value === 'yes' })}
            options={Object.entries(words.destructives)}
          />
        </Field>
      </div>
      <LinesField
        label={words.condition}
        help={words.conditionHelp}
        nameOf={words.conditionName}
        add={words.addCondition}
        operators={OPERATORS}
        value={rule.arguments}
        read={linesOfSchema}
        write={schemaOf}
        onChange={(condition) => set({ arguments: condition })}
        onUnfinished={(unfinished) => onUnfinished('arguments', unfinished)}
      />
      <LinesField
        label={words.lock}
        help={words.lockHelp}
        nameOf={words.lockName}
        add={words.addLock}
        operators={['is']}
        value={rule.lock}
        read={linesOfLock}
        write={lockOf}
        onChange={(lock) => set({ lock })}
        onUnfinished={(unfinished) => onUnfinished('lock', unfinished)}
      />
      <Field label={words.message} help={words.messageHelp} optional>
        <Input maxLength={300} value={rule.message ?? ''} onChange={(event) => set({ message: event.target.value })} />
      </Field>
    </div>
  )
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

type TicksProps<T extends string> = {
  label: string
  names: Readonly<Record<T, string>>
  ticked: readonly T[]
  onChange(ticked: T[]): void
}

function Ticks<T extends string>({ label, names, ticked, onChange }: TicksProps<T>): ReactNode {
  const all = Object.keys(names) as T[]
  return (
    <fieldset className={styles.group}>
      <legend>{label}</legend>
      {all.map((one) => (
        <Checkbox
          key={one}
          label={names[one]}
          checked={ticked.includes(one)}
          onChange={(event) => onChange(all.filter((each) => (each === one ? event.target.checked : ticked.includes(each))))}
        />
      ))}
      <p className={styles.help}>{words.anyHelp}</p>
    </fieldset>
  )
}
