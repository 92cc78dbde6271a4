import type { ReactNode } from 'react'
import { functions } from '../../api/doors.ts'
import { getPolicy } from '../../api/endpoints.ts'
import { useRead } from '../../api/queries.ts'
import type { OnwardError } from '../../api/request.ts'
import { scopeOf, useSuspensions } from '../../parts/suspension.tsx'
import { PageLink } from '../../shell/links.tsx'
import { WORDS } from '../../text/words.ts'
import { Notice } from '../../ui/empty.tsx'
import { decidingRule } from './deciding-rule.ts'
import type { Task } from './use-run.ts'
import { PLAY } from './words.ts'

const { held: words, verdicts } = PLAY.run

/** What rules, approvals and suspensions stop. Neither the app nor the arguments are at fault. */
const HELD = ['approval_required', 'approval_refused', 'denied_by_policy', 'suspended'] as const

type HeldError = OnwardError & { readonly code: (typeof HELD)[number] }
type HeldProps = { task: Task; error: HeldError }

export function isHeld(error: OnwardError): error is HeldError {
  return HELD.some((code) => code === error.code)
}

/** Says what stops a call, with a link to where it is decided. */
export function Held({ task, error }: HeldProps): ReactNode {
  const { appKey } = task
  switch (error.code) {
    case 'approval_required':
      return (
        <Notice tone="warn" alert title={words.waits}>
          <p>{error.message}</p>
          <p>{words.waitsHelp}</p>
          <p>
            <PageLink page="approvals" search={{ app_key: appKey, approval: error.approvalId }}>
              {words.approval}
            </PageLink>
          </p>
          <RuleLink task={task} result="ask" message={error.message} />
        </Notice>
      )
    case 'approval_refused':
      return (
        <Notice tone="bad" title={words.refused}>
          <p>{error.message}</p>
          <p>{words.notSent}</p>
          <PageLink page="approvals" search={{ app_key: appKey, user: task.user, state: 'refused' }}>
            {words.approvals}
          </PageLink>
        </Notice>
      )
    case 'denied_by_policy':
      return (
        <Notice tone="bad" title={verdicts.deny}>
          <p>{error.message}</p>
          <p>{words.notSent}</p>
          <RuleLink task={task} result="deny" message={error.message} />
        </Notice>
      )
    case 'suspended':
      return <Suspended task={task} error={error} />
  }
}

type RuleProps = { task: Task; result: 'ask' | 'deny'; message: string | null }

/**
 * Names the rule that decided, if it is certain, and links to the rules. The service writes a message for a rule that has none. When a call asks,
 * it can also replace the message of a rule.
 */
export function RuleLink({ task: { appKey, fn }, result, message: text }: RuleProps): ReactNode {
  const { data } = useRead(functions, getPolicy, { params: { app_key: appKey } }, { freshFor: 0 })
  const rules = data?.rules ?? []
  const isOwn = text === null || rules.some((rule) => rule.message === text)
  const at = isOwn || result === 'deny' ? decidingRule(rules, { fn, result, message: isOwn ? text : null }) : undefined
  return (
    <p>
      <PageLink page="rules" search={{ app_key: appKey }}>
        {at === undefined ? words.rules : words.rule(at + 1)}
      </PageLink>
    </p>
  )
}

/** Each suspension that concerns the caller, with a link to what is suspended. */
function Suspended({ task: { appKey, user }, error }: HeldProps): ReactNode {
  const { concerning } = useSuspensions({ app_key: appKey, user_id: user }, { freshFor: 0 })
  if (concerning.length === 0) {
    return (
      <Notice tone="warn" alert title={words.suspended}>
        {error.message}
      </Notice>
    )
  }
  const pages = {
    user: { page: 'users', path: `${encodeURIComponent(appKey)}/${encodeURIComponent(user)}` },
    application: { page: 'applications', path: `${encodeURIComponent(appKey)}/settings` },
    workspace: { page: 'settings' },
  } as const
  return concerning.map((one) => {
    const scope = scopeOf(one)
    return (
      <Notice key={scope} tone="warn" alert title={WORDS.suspension.is(one.state, scope)}>
        <p>{`${words.by[one.by_operator ? 'operator' : 'owner']}. ${words.notSent}`}</p>
        <p>{words.reason(one.reason)}</p>
        <PageLink {...pages[scope]}>{words.open[scope]}</PageLink>
      </Notice>
    )
  })
}
