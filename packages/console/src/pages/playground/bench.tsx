import type { FunctionItem } from '@onward/contract'
import { type ReactNode, useState } from 'react'
import { areaA, functions } from '../../api/doors.ts'
import { listFunctions, searchFunctions } from '../../api/endpoints.ts'
import { type Reading, useRead } from '../../api/queries.ts'
import { AppLogo } from '../../shell/app-logo.tsx'
import { PageLink } from '../../shell/links.tsx'
import { Tag } from '../../ui/badge.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Choice, Field } from '../../ui/field.tsx'
import { Card, Stack } from '../../ui/page.tsx'
import { Failure, Group } from '../../ui/section.tsx'
import { Lines, Skeleton } from '../../ui/skeleton.tsx'
import { Accounts } from './accounts.tsx'
import { CallerContext } from './caller.ts'
import { FormView } from './form-view.tsx'
import { FromCall } from './from-call.tsx'
import { isFunction } from './is-function.ts'
import styles from './playground.module.css'
import { Prompt } from './prompt.tsx'
import { Run } from './run.tsx'
import { type EarlierCall, useBench } from './use-bench.ts'
import type { Play } from './use-play.ts'
import { Who } from './who.tsx'
import { PLAY } from './words.ts'

const MOST_FUNCTIONS = 30

/** Functions can be listed before a user is chosen. The list is the same for all. */
const ANYBODY = 'anybody'

type ChooseProps = { appKey: string; user: string; fn: string; hasAccounts: boolean; onChoose(fn: string): void }

type BenchProps = {
  applications: readonly { readonly app_key: string; readonly name: string }[]
  play: Play
  call: Reading<EarlierCall>
  onChange(change: Partial<Play>): void
}

/** Everything of the playground: on the left what to call, on the right what comes of it. */
export function Bench({ applications, play, call, onChange }: BenchProps): ReactNode {
  const { appKey, user, fn, callId } = play
  const [way, setWay] = useState<'function' | 'prompt'>('function')
  const bench = useBench(play, call.data)
  const { accounts, described, item, app, form, args, needsAccount } = bench

  return (
    <CallerContext value={{ appKey, user, args }}>
      <div className={styles.bench}>
        <Stack gap={6}>
          <Group title={PLAY.who}>
            <div className={styles.stack}>
              <Who
                applications={applications}
                appKey={appKey}
                user={user}
                onApplication={(next) => onChange({ ...play, appKey: next, accountId: '' })}
                onUser={(next) => onChange({ ...play, user: next, accountId: '' })}
              />
              {user !== '' && accounts.data !== undefined && (item === undefined || needsAccount) && (
                <Accounts
                  appKey={appKey}
                  user={user}
                  accounts={accounts.data}
                  app={item === undefined ? undefined : { name: item.app, title: app?.title ?? item.app }}
                  accountId={bench.accountId}
                  waiting={bench.waiting}
                  onAccount={(id) => onChange({ ...play, accountId: id })}
                  onWaiting={bench.setWaiting}
                />
              )}
              {user !== '' && accounts.error !== undefined && (
                <Failure
                  title={PLAY.accounts.title}
                  error={accounts.error}
                  stale={accounts.data !== undefined}
                  busy={accounts.loading}
                  retry={accounts.retry}
                />
              )}
            </div>
          </Group>
          <Group
            title={PLAY.what}
            actions={
              <Choice
                label={PLAY.way}
                value={way}
                choices={(Object.keys(PLAY.ways) as (typeof way)[]).map((value) => ({ value, label: PLAY.ways[value] }))}
                onChange={(value) => setWay(value)}
              />
            }
          >
            <div className={styles.stack}>
              {way === 'prompt' ? (
                <Prompt
                  appKey={appKey}
                  user={user}
                  fn={fn}
                  onUse={(next) => {
                    bench.setPredicted(next)
                    onChange({ ...play, fn: next.fn, callId: '' })
                  }}
                />
              ) : (
                <ChooseFunction
                  appKey={appKey}
                  user={user}
                  fn={fn}
                  hasAccounts={(accounts.data?.length ?? 0) > 0}
                  onChoose={(next) => {
                    bench.setPredicted(undefined)
                    onChange({ ...play, fn: next, callId: next === bench.fromCall?.fn ? callId : '' })
                  }}
                />
              )}
              {item !== undefined && <About item={item} appTitle={app?.title ?? item.app} />}
            </div>
          </Group>
          {described.error !== undefined && (
            <Failure
              title={PLAY.form.failed}
              error={described.error}
              stale={item !== undefined}
              busy={described.loading}
              retry={described.retry}
            />
          )}
          {fn !== '' && appKey !== '' && item === undefined && described.error === undefined && (
            <Skeleton>
              <Lines count={4} />
            </Skeleton>
          )}
          {form !== undefined && (
            <FormView
              key={`${fn} ${bench.prefill?.id}`}
              form={form}
              notice={callId !== '' && <FromCall call={call} form={form} onDismiss={() => onChange({ ...play, callId: '' })} />}
            />
          )}
        </Stack>
        <div className={styles.right}>
          <Card>
            {item === undefined || form === undefined ? (
              <Empty title={PLAY.noFunction} help={PLAY.noFunctionHelp} />
            ) : (
              <Run
                key={item.name}
                item={item}
                form={form}
                task={{ appKey, user, fn, accountId: bench.accountId, args }}
                account={bench.accountName}
                lacks={bench.lacks}
              />
            )}
          </Card>
        </div>
      </div>
    </CallerContext>
  )
}

function About({ item, appTitle }: { item: FunctionItem; appTitle: string }): ReactNode {
  return (
    <div className={styles.about}>
      <AppLogo app={item.app} title={appTitle} size={32} />
      <div>
        <p className={styles.aboutTitle}>
          <strong>{item.title}</strong>
          <Tag>{item.type}</Tag>
          {item.meta?.destructive === true && <Tag bad>{PLAY.destructive}</Tag>}
        </p>
        <p>{item.description}</p>
        <PageLink page="catalog" path={encodeURIComponent(item.app)}>
          {PLAY.openInCatalog}
        </PageLink>
      </div>
    </div>
  )
}

/** Searches a function by its name or by what it does. Without a text, offers the functions of the user's connected apps. */
function ChooseFunction({ appKey, user, fn, hasAccounts, onChoose }: ChooseProps): ReactNode {
  const [search, setSearch] = useState<string | undefined>(undefined)
  const text = search ?? ''
  const listed = useRead(
    areaA(appKey, user === '' ? ANYBODY : user),
    listFunctions,
    { query: hasAccounts ? { connected_only: true } : {}, body: { page_size: MOST_FUNCTIONS } },
    { enabled: search === '' && appKey !== '' },
  )
  const searched = useRead(functions, searchFunctions, { query: { search: text, page_size: MOST_FUNCTIONS } }, { enabled: text !== '' })
  const found = text === '' ? (listed.data?.functions ?? []).filter(isFunction) : (searched.data?.functions ?? [])
  return (
    <Field label={PLAY.fn} help={PLAY.connectedFirst}>
      <Combobox
        mono
        shown={fn}
        options={found.map(({ name, title, app, description }) => ({
          value: name,
          label: name,
          note: `${title}. ${description}`,
          icon: <AppLogo app={app} />,
        }))}
        loading={text === '' ? listed.loading : searched.loading}
        none={PLAY.noFunctions}
        placeholder={PLAY.fnExample}
        onSearch={setSearch}
        onChoose={onChoose}
      />
    </Field>
  )
}
