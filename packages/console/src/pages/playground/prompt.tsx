import type { ArgumentMeta, FunctionItem, predictFunction as predictEndpoint, ResponseOf } from '@onward/contract'
import { writeJson } from '@onward/json'
import { Sparkles } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { areaA } from '../../api/doors.ts'
import { predictFunction } from '../../api/endpoints.ts'
import { useChange } from '../../api/queries.ts'
import { AppLogo } from '../../shell/app-logo.tsx'
import { formatPercent } from '../../text/format.ts'
import { WORDS } from '../../text/words.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Empty } from '../../ui/empty.tsx'
import { Field, TextArea } from '../../ui/field.tsx'
import { Failure } from '../../ui/section.tsx'
import { isFunction } from './is-function.ts'
import styles from './playground.module.css'
import type { Prefill } from './use-form.ts'
import { PLAY } from './words.ts'

const { prompt: words } = PLAY
const COUNT = 5

type Predicted = FunctionItem & { readonly confidence: number }
type Meta = NonNullable<ResponseOf<typeof predictEndpoint>['meta']>
type Prediction = { readonly id: number; readonly prompt: string; readonly functions: readonly Predicted[]; readonly meta: Meta }

type PromptProps = { appKey: string; user: string; fn: string; onUse(prefill: Prefill): void }

/** Predicts a function from a prompt, and shows the ranking. The best function is used at once. */
export function Prompt({ appKey, user, fn, onUse }: PromptProps): ReactNode {
  const [prompt, setPrompt] = useState('')
  const [prediction, setPrediction] = useState<Prediction | undefined>(undefined)
  const predict = useChange(areaA(appKey, user), predictFunction, { refresh: [] })
  const use = (from: Prediction, each: Predicted) => onUse(prefillOf(from, each))
  const run = async () => {
    const response = await predict.run({
      query: { include: 'meta' },
      body: { prompt, predict_arguments: true, top_k: COUNT, time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone },
    })
    if (response === undefined) return
    const next = { id: (prediction?.id ?? 0) + 1, prompt, functions: response.functions.filter(isPredicted), meta: response.meta ?? {} }
    setPrediction(next)
    const [best] = next.functions
    if (best !== undefined) use(next, best)
  }
  const lacks = appKey === '' ? WORDS.applications.choose : user === '' ? PLAY.run.needsUser : undefined
  const empty = prompt.trim() === '' ? words.example : undefined
  return (
    <form
      className={styles.stack}
      onSubmit={(event) => {
        event.preventDefault()
        if (empty === undefined && lacks === undefined && !predict.running) void run()
      }}
    >
      <Field label={words.label} help={words.help} error={predict.fields.prompt}>
        <TextArea
          value={prompt}
          placeholder={words.example}
          maxLength={10_000}
          onChange={(event) => setPrompt(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
            event.preventDefault()
            event.currentTarget.form?.requestSubmit()
          }}
        />
      </Field>
      <div>
        <Button type="submit" icon={<Sparkles />} busy={predict.running} why={lacks ?? (empty && words.noneHelp)}>
          {words.predict}
        </Button>
      </div>
      {predict.error !== undefined && !Object.hasOwn(predict.fields, 'prompt') && (
        <Failure title={words.ranking} error={predict.error} busy={predict.running} retry={() => void run()} />
      )}
      <div aria-live="polite">
        {prediction !== undefined && prediction.functions.length === 0 && (
          <Empty title={words.none} help={`${refusalOf(prediction.meta)} ${words.noneHelp}`} />
        )}
        {prediction !== undefined && prediction.functions.length > 0 && (
          <ol className={styles.ranking} aria-label={words.ranking}>
            {prediction.functions.map((each) => (
              <Ranked key={each.name} predicted={each} from={prediction} used={each.name === fn} onUse={() => use(prediction, each)} />
            ))}
          </ol>
        )}
        {prediction !== undefined && <Others title={words.nearest} functions={prediction.meta.refused?.nearest} />}
        {prediction !== undefined && <Others title={words.next} functions={prediction.meta.next} />}
      </div>
    </form>
  )
}

/** Says why no function fits. */
function refusalOf({ refused }: Meta): string {
  return refused === undefined ? '' : words.refused[refused.reason](refused.product ?? words.theApp)
}

function Others({ title, functions = [] }: { title: string; functions?: readonly { readonly name: string }[] | undefined }): ReactNode {
  if (functions.length === 0) return null
  return (
    <p className={styles.note}>
      {title}:{' '}
      {functions.map(({ name }, at) => (
        <span key={name}>
          {at > 0 && ', '}
          <code>{name}</code>
        </span>
      ))}
    </p>
  )
}

type RankedProps = { predicted: Predicted; from: Prediction; used: boolean; onUse(): void }

function Ranked({ predicted, from, used, onUse }: RankedProps): ReactNode {
  const { name, title, app, confidence } = predicted
  const percent = formatPercent(confidence)
  const args = Object.entries(predicted.arguments ?? {})
  const metas: Readonly<Record<string, ArgumentMeta>> = predicted.meta?.arguments ?? {}
  return (
    <li className={cx(styles.ranked, used && styles.used)}>
      <div className={styles.rankedHead}>
        <AppLogo app={app} />
        <div className={styles.rankedName}>
          <span>{title}</span>
          <code>{name}</code>
        </div>
        <span className={styles.confidence}>
          <span className={styles.track} aria-hidden="true">
            <span style={{ width: `${Math.round(confidence * 100)}%` }} />
          </span>
          <span className="hidden">{words.confidence(percent)}</span>
          <span aria-hidden="true">{percent}</span>
        </span>
        <Button size="small" aria-label={`${used ? words.used : words.use}: ${name}`} aria-pressed={used} onClick={onUse}>
          {used ? words.used : words.use}
        </Button>
      </div>
      {used && args.length === 0 && <p className={styles.note}>{words.noArguments}</p>}
      {used && args.length > 0 && (
        <table className={styles.origins}>
          <thead>
            <tr>
              <th scope="col">{words.argument}</th>
              <th scope="col">{words.value}</th>
              <th scope="col">{words.origin}</th>
            </tr>
          </thead>
          <tbody>
            {args.map(([argument, value]) => {
              const meta = metas[argument]
              return (
                <tr key={argument}>
                  <td>
                    <code>{argument}</code>
                  </td>
                  <td>
                    <code>{typeof value === 'string' ? value : writeJson(value)}</code>
                  </td>
                  <td>{meta !== undefined && `${originOf(meta, from.prompt)}, ${formatPercent(meta.confidence)}`}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
    </li>
  )
}

function isPredicted(item: object): item is Predicted {
  return isFunction(item) && 'confidence' in item
}

function prefillOf({ id, prompt }: Prediction, { name, arguments: args, meta }: Predicted): Prefill {
  const origins = Object.entries(meta?.arguments ?? {}).map(([argument, each]) => [argument, originOf(each, prompt)])
  return { id: `prediction-${id}-${name}`, fn: name, args: args ?? {}, origins: Object.fromEntries(origins) }
}

/** Returns where a predicted argument came from, in words. `prompt` is the text that was predicted from. */
function originOf(meta: ArgumentMeta, prompt: string): string {
  const { from } = PLAY.prompt
  switch (meta.from) {
    case 'prompt': {
      const [start, end] = meta.span ?? []
      return start === undefined || end === undefined ? from.promptOnly : from.prompt(prompt.slice(start, end))
    }
    case 'variable':
      return from.variable(meta.variable ?? meta.variables?.join(', ') ?? '')
    case 'default':
      return from.default
    case 'source_function':
      return from.source_function(meta.function ?? '')
    case 'model':
      return from.model
  }
}
