import { ChevronDown } from 'lucide-react'
import {
  createContext,
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  use,
  useId,
} from 'react'
import { WORDS } from '../text/words.ts'
import { cx } from './cx.ts'
import styles from './field.module.css'

type Described = { readonly id?: string; readonly 'aria-describedby'?: string | undefined; readonly 'aria-invalid'?: true | undefined }

const FieldContext = createContext<Described>({})

type FieldProps = {
  label: ReactNode
  help?: ReactNode
  /** What is wrong, from the server's `error_details` or a check of the page. */
  error?: string | undefined
  optional?: boolean
  /** Controls of this module, which take their id and description from the field. */
  children: ReactNode
}

/** A control with its label, help and error. */
export function Field({ label, help, error, optional = false, children }: FieldProps): ReactNode {
  const id = useId()
  const helpId = help === undefined ? undefined : `${id}help`
  const errorId = error === undefined ? undefined : `${id}error`
  const described: Described = {
    id,
    'aria-describedby': cx(helpId, errorId) || undefined,
    'aria-invalid': error === undefined ? undefined : true,
  }
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
        {optional && <span className={styles.optional}>{WORDS.common.optional}</span>}
      </label>
      <FieldContext value={described}>{children}</FieldContext>
      {error !== undefined && (
        <p id={errorId} className={styles.error} role="alert">
          {error}
        </p>
      )}
      {help !== undefined && (
        <p id={helpId} className={styles.help}>
          {help}
        </p>
      )}
    </div>
  )
}

/** A text input. `mono` is for ids, keys and addresses; `icon` stands at its start. */
export function Input({
  mono = false,
  icon,
  className,
  ...rest
}: InputHTMLAttributes<HTMLInputElement> & { mono?: boolean; icon?: ReactNode; ref?: Ref<HTMLInputElement> }): ReactNode {
  const described = use(FieldContext)
  const input = (
    <input {...described} {...rest} className={cx(styles.input, mono && styles.mono, icon !== undefined && styles.withIcon, className)} />
  )
  if (icon === undefined) return input
  return (
    <span className={styles.iconed}>
      <span className={styles.icon} aria-hidden="true">
        {icon}
      </span>
      {input}
    </span>
  )
}

/** A text area that grows with its text where the browser can do that. */
export function TextArea({
  mono = false,
  className,
  ...rest
}: TextareaHTMLAttributes<HTMLTextAreaElement> & { mono?: boolean }): ReactNode {
  return <textarea rows={3} {...use(FieldContext)} {...rest} className={cx(styles.input, styles.area, mono && styles.mono, className)} />
}

type SelectProps = SelectHTMLAttributes<HTMLSelectElement> & {
  /** The values with their texts, after the options that are children. */
  options?: readonly (readonly [value: string, text: string])[]
  /** What stands in the field while its value is empty. It cannot be chosen again. */
  unchosen?: string
  ref?: Ref<HTMLSelectElement>
}

/** A native select. */
export function Select({ className, options = [], unchosen, children, ...rest }: SelectProps): ReactNode {
  return (
    <span className={styles.iconed}>
      <select {...use(FieldContext)} {...rest} className={cx(styles.input, styles.select, className)}>
        {unchosen !== undefined && rest.value === '' && (
          <option value="" disabled>
            {unchosen}
          </option>
        )}
        {children}
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      <span className={cx(styles.icon, styles.arrow)} aria-hidden="true">
        <ChevronDown />
      </span>
    </span>
  )
}

type TickProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> & { label: ReactNode; help?: ReactNode; ref?: Ref<HTMLInputElement> }

/** A checkbox with its label; `hideLabel` shows the label to screen readers only. */
export function Checkbox({ label, help, hideLabel = false, className, ...rest }: TickProps & { hideLabel?: boolean }): ReactNode {
  const helpId = useId()
  return (
    <label className={cx(styles.tick, className)}>
      <input type="checkbox" {...rest} aria-describedby={help === undefined ? undefined : helpId} className={styles.box} />
      <span className={hideLabel ? 'hidden' : undefined}>
        {label}
        {help !== undefined && (
          <span id={helpId} className={styles.tickHelp}>
            {help}
          </span>
        )}
      </span>
    </label>
  )
}

/** A setting that takes effect at once. */
export function Switch({ label, help, ...rest }: TickProps): ReactNode {
  const helpId = useId()
  return (
    <label className={styles.tick}>
      {/* biome-ignore lint/a11y/useAriaPropsForRole: a checkbox says itself whether it is checked */}
      <input type="checkbox" role="switch" {...rest} aria-describedby={help === undefined ? undefined : helpId} className={styles.switch} />
      <span>
        {label}
        {help !== undefined && (
          <span id={helpId} className={styles.tickHelp}>
            {help}
          </span>
        )}
      </span>
    </label>
  )
}

type ChoiceProps<T extends string> = {
  label: string
  value: T
  choices: readonly { readonly value: T; readonly label: ReactNode }[]
  onChange(value: T): void
}

/** A few choices side by side, of which one is set. A radio group: arrow keys move. */
export function Choice<T extends string>({ label, value, choices, onChange }: ChoiceProps<T>): ReactNode {
  const name = useId()
  return (
    <fieldset className={styles.choice}>
      <legend className="hidden">{label}</legend>
      {choices.map((one) => (
        <label key={one.value} className={styles.option}>
          <input type="radio" name={name} checked={one.value === value} onChange={() => onChange(one.value)} className={styles.radio} />
          <span>{one.label}</span>
        </label>
      ))}
    </fieldset>
  )
}
