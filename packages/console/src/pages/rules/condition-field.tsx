import type { PolicyRule } from '@onward/contract'
import { type ReactNode, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field, Input, Select } from '../../ui/field.tsx'
import { ObjectField } from './object-field.tsx'
import { type Preset, withPreset } from './rule-text.ts'
import styles from './rules.module.css'
import { RULES } from './words.ts'

const { form: words } = RULES

type Condition = PolicyRule['arguments']
type ConditionProps = { condition: Condition; onChange(condition: Condition): void }

/** The condition of a rule on arguments: its JSON Schema, and a form that adds the usual conditions to it. */
export function ConditionField({ condition, onChange }: ConditionProps): ReactNode {
  return (
    <>
      <ObjectField label={words.condition} help={words.conditionHelp} value={condition} onChange={onChange} />
      <PresetForm condition={condition} onChange={onChange} />
    </>
  )
}

function PresetForm({ condition, onChange }: ConditionProps): ReactNode {
  const [name, setName] = useState('')
  const [preset, setPreset] = useState<Preset>('most')
  const [value, setValue] = useState('')
  const next = name.trim() === '' || value.trim() === '' ? undefined : withPreset(condition, name.trim(), preset, value.trim())
  const why = next !== undefined ? undefined : name.trim() === '' || value.trim() === '' ? words.needsPreset : words.needsNumber
  return (
    <fieldset className={styles.group}>
      <legend>{words.preset}</legend>
      <div className={styles.preset}>
        <Field label={words.presetName}>
          <Input
            mono
            spellCheck={false}
            autoComplete="off"
            placeholder="amount"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
        <Field label={words.presetKind}>
          <Select value={preset} onChange={(event) => setPreset(event.target.value as Preset)} options={Object.entries(words.presets)} />
        </Field>
        <Field label={words.presetValue}>
          <Input
            spellCheck={false}
            autoComplete="off"
            placeholder="5000"
            value={value}
            onChange={(event) => setValue(event.target.value)}
          />
        </Field>
        <Button
          why={why}
          onClick={() => {
            onChange(next as Condition)
            setValue('')
          }}
        >
          {words.addPreset}
        </Button>
      </div>
    </fieldset>
  )
}
