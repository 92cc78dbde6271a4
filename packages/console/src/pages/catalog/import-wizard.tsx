import { useSearch } from '@tanstack/react-router'
import { Check, CircleCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { functions } from '../../api/doors.ts'
import { previewImport } from '../../api/endpoints.ts'
import { useMe } from '../../api/me.ts'
import { useChange } from '../../api/queries.ts'
import { PageLink } from '../../shell/links.tsx'
import { formatCount } from '../../text/format.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Empty, Notice } from '../../ui/empty.tsx'
import { Page, Row } from '../../ui/page.tsx'
import styles from './import.module.css'
import { ImportDocument, type Source } from './import-document.tsx'
import { ImportReview } from './import-review.tsx'
import { firstChoice, isAsChosen } from './import-state.ts'
import { ImportStore } from './import-store.tsx'
import { IMPORT } from './import-words.ts'
import type { Preview, Stored } from './types.ts'

const { done, review } = IMPORT

/** Imports a document in three steps. The service converts it twice, and stores it only in the last step. */
export function ImportWizard(): ReactNode {
  const { operator } = useMe()
  const { replace } = useSearch({ strict: false }) as { replace?: unknown }
  const replaced = typeof replace === 'string' ? replace : ''
  const [step, setStep] = useState<0 | 1 | 2>(0)
  const [source, setSource] = useState<Source>({ name: replaced, document: '', file: '', baseUrl: '' })
  const [preview, setPreview] = useState<Preview | undefined>(undefined)
  const [final, setFinal] = useState<Preview | undefined>(undefined)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [stored, setStored] = useState<Stored | undefined>(undefined)
  const read = useChange(functions, previewImport, { refresh: [] })
  const again = useChange(functions, previewImport, { refresh: [] })

  const inputOf = (include: readonly string[] | undefined) => ({
    params: { name: source.name },
    body: {
      document: source.document,
      ...(source.baseUrl.trim() !== '' && { base_url: source.baseUrl.trim() }),
      ...(include !== undefined && { include: [...include] }),
    },
  })
  const start = async () => {
    const response = await read.run(inputOf(undefined))
    if (response === undefined) return
    setPreview(response)
    setChosen(firstChoice(response))
    setStep(1)
  }
  const choose = async () => {
    if (preview === undefined) return
    const response = isAsChosen(preview, chosen) ? preview : await again.run(inputOf([...chosen]))
    if (response === undefined) return
    setFinal(response)
    setStep(2)
  }
  const back = <PageLink page="catalog">{IMPORT.catalog}</PageLink>
  const title = replaced === '' ? IMPORT.title : IMPORT.titleOf(replaced)
  return (
    <Page title={title} about={IMPORT.about} path={[back]}>
      {!operator && <Empty title={IMPORT.operatorOnly} help={IMPORT.operatorOnlyHelp} />}
      {operator && stored === undefined && <Steps at={step} />}
      {operator && stored === undefined && step === 0 && (
        <ImportDocument
          source={source}
          fixedName={replaced !== ''}
          busy={read.running}
          error={read.error}
          fields={read.fields}
          onChange={setSource}
          onNext={() => void start()}
        />
      )}
      {stored === undefined && step === 1 && preview !== undefined && (
        <ImportReview
          preview={preview}
          chosen={chosen}
          busy={again.running}
          error={again.error}
          onChoose={setChosen}
          onBack={() => setStep(0)}
          onNext={() => void choose()}
        />
      )}
      {stored === undefined && step === 2 && final !== undefined && (
        <ImportStore preview={final} onBack={() => setStep(1)} onStored={setStored} />
      )}
      {stored !== undefined && (
        <ImportDone
          stored={stored}
          title={final?.title ?? stored.name}
          onAnother={() => {
            setStored(undefined)
            setSource({ name: '', document: '', file: '', baseUrl: '' })
            setStep(0)
          }}
        />
      )}
    </Page>
  )
}

/** Where the reader is in the wizard. */
function Steps({ at }: { at: number }): ReactNode {
  return (
    <ol className={styles.steps} aria-label={IMPORT.stepsLabel}>
      {IMPORT.steps.map((name, index) => (
        <li
          key={name}
          className={cx(index === at && styles.now, index < at && styles.past)}
          aria-current={index === at ? 'step' : undefined}
        >
          <span aria-hidden="true" className={styles.mark}>
            {index < at ? <Check /> : index + 1}
          </span>
          {name}
        </li>
      ))}
    </ol>
  )
}

/** What was stored. */
function ImportDone({ stored, title, onAnother }: { stored: Stored; title: string; onAnother(): void }): ReactNode {
  const { name, functions, quarantined } = stored
  const countOf = (count: number) => formatCount(count, review.fn.one, review.fn.other)
  return (
    <div role="status">
      <Empty
        icon={<CircleCheck />}
        title={done.title(title)}
        help={done.help(countOf(functions))}
        action={
          <Row gap={2}>
            <Button onClick={onAnother}>{done.another}</Button>
            <PageLink page="catalog" path={encodeURIComponent(name)} className={buttonClass('accent')}>
              {done.open}
            </PageLink>
          </Row>
        }
      />
      {quarantined.length > 0 && (
        <Notice tone="warn" title={done.quarantined(countOf(quarantined.length))}>
          <ul className={styles.problems}>
            {quarantined.map(({ function: fn, problems }) => (
              <li key={fn}>
                <code>{fn}</code>: {problems.join('; ')}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  )
}
