import type { PolicyRule } from '@onward/contract'
import { type ReactNode, useState } from 'react'
import { functions } from '../../api/doors.ts'
import { getPolicy, putPolicy, testPolicy } from '../../api/endpoints.ts'
import { useMay } from '../../api/me.ts'
import { useChange, useRead } from '../../api/queries.ts'
import { AskBeforeLeaving } from '../../parts/ask-before-leaving.tsx'
import { ChangeError } from '../../parts/change-error.tsx'
import { Clashes, ifUnchanged } from '../../parts/clashes.tsx'
import { WORDS } from '../../text/words.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/empty.tsx'
import { Choice, Field, TextArea } from '../../ui/field.tsx'
import { Row, Stack } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { RuleList } from './rule-list.tsx'
import { parseRules, printRules } from './rule-text.ts'
import styles from './rules.module.css'
import { type Tested, TestResult } from './test-result.tsx'
import { useRules } from './use-rules.ts'
import { RULES } from './words.ts'

/** The rules of an application for calls: a builder, the same as JSON, and a test before they are saved. */
export function Rules({ appKey }: { appKey: string }): ReactNode {
  const reading = useRead(functions, getPolicy, { params: { app_key: appKey } })
  return (
    <Section title={RULES.title} hideTitle reading={reading}>
      {({ rules }) => <Editor key={appKey} appKey={appKey} stored={rules} />}
    </Section>
  )
}

/** Everybody who sees the rules may change and test them here; only an owner can save them. */
function Editor({ appKey, stored }: { appKey: string; stored: readonly PolicyRule[] }): ReactNode {
  const edited = useRules(stored)
  const { rules, isChanged, isOutdated, isUnfinished } = edited
  const { why: mayNot } = useMay('owner')
  const [view, setView] = useState<'builder' | 'json'>('builder')
  /** What is typed in the JSON view; undefined while it shows the rules. */
  const [typed, setTyped] = useState<string | undefined>(undefined)
  const [tested, setTested] = useState<{ readonly of: string; readonly result: Tested } | undefined>(undefined)
  /** What was sent last. A problem is shown until the rules change, because it names them by their places. */
  const [sent, setSent] = useState<{ readonly of: string; readonly by: 'save' | 'test' } | undefined>(undefined)
  const save = useChange(functions, putPolicy, { done: RULES.saved, refresh: [getPolicy] })
  const test = useChange(functions, testPolicy, { refresh: [] })
  const json = view === 'builder' ? undefined : (typed ?? printRules(rules))
  const problem = json === undefined ? undefined : problemIn(json)
  const wrong = problem !== undefined ? RULES.fixJson : isUnfinished ? RULES.fixRows : undefined
  const now = JSON.stringify(rules)
  const input = { params: { app_key: appKey }, body: { rules: [...rules] } }
  const error = sent?.of !== now ? undefined : sent.by === 'save' ? save.error : test.error
  const type = (text: string) => {
    setTyped(text)
    const read = parseRules(text)
    // Text that is not valid yet was also typed over the rules of now.
    edited.replace('rules' in read ? read.rules : rules)
  }
  const reset = () => {
    edited.reset()
    setTyped(undefined)
  }
  return (
    <Stack gap={4}>
      {mayNot !== undefined && <Notice tone="info">{RULES.mayTry(mayNot)}</Notice>}
      <Choice
        label={RULES.show}
        value={view}
        choices={(['builder', 'json'] as const).map((value) => ({ value, label: RULES.shows[value] }))}
        onChange={(next) => {
          if (problem !== undefined) return
          setTyped(undefined)
          setView(next)
        }}
      />
      {json === undefined ? (
        <RuleList edited={edited} problems={error?.details ?? []} />
      ) : (
        <Field label={RULES.json} help={RULES.jsonHelp} error={problem}>
          <TextArea mono spellCheck={false} className={styles.json} value={json} onChange={(event) => type(event.target.value)} />
        </Field>
      )}
      {isOutdated && (
        <Clashes
          clashes={[{ name: 'rules', mine: printRules(rules), stored: printRules(stored) }]}
          labels={{ rules: RULES.title }}
          keep={() => {
            edited.keep()
            setSent(undefined)
          }}
          reset={reset}
        />
      )}
      {!isOutdated && <ChangeError error={error} />}
      <Row>
        <Button
          busy={test.running}
          why={wrong}
          onClick={async () => {
            setSent({ of: now, by: 'test' })
            const result = await test.run(input)
            if (result !== undefined) setTested({ of: now, result })
          }}
        >
          {RULES.test.button}
        </Button>
        <Button
          tone={isChanged ? 'accent' : 'plain'}
          busy={save.running}
          why={mayNot ?? wrong ?? (isOutdated ? WORDS.form.clash.choose : undefined) ?? (isChanged ? undefined : RULES.unchanged)}
          onClick={async () => {
            setSent({ of: now, by: 'save' })
            const body = { ...input.body, ...ifUnchanged({ rules: [...stored] }, input.body) }
            if ((await save.run({ ...input, body })) !== undefined) reset()
          }}
        >
          {RULES.save}
        </Button>
        {(isChanged || problem !== undefined) && (
          <Button tone="quiet" onClick={reset}>
            {RULES.discard}
          </Button>
        )}
      </Row>
      {tested !== undefined && <TestResult appKey={appKey} tested={tested.result} outdated={tested.of !== now} />}
      <AskBeforeLeaving when={isChanged || problem !== undefined} />
    </Stack>
  )
}

function problemIn(json: string): string | undefined {
  const read = parseRules(json)
  return 'problem' in read ? read.problem : undefined
}
