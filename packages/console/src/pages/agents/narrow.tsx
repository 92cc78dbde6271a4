import { type ReactNode, useState } from 'react'
import { areaA, functions as functionsDoor } from '../../api/doors.ts'
import { listOwnAccounts, narrowMcpToken, readCatalogApp } from '../../api/endpoints.ts'
import { useMay } from '../../api/me.ts'
import { useChange, useRead } from '../../api/queries.ts'
import { useRefreshList } from '../../list/refresh-list.ts'
import { useAppTitles } from '../../parts/app-title.tsx'
import { ChangeError } from '../../parts/change-error.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox, Choice } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Row } from '../../ui/page.tsx'
import { Group } from '../../ui/section.tsx'
import type { AgentRow } from './agent-columns.tsx'
import styles from './agents.module.css'
import { WORDS } from './words.ts'

const { narrow: words } = WORDS

/** Takes a part of the access away. */
export function Narrow({ agent }: { agent: AgentRow }): ReactNode {
  const { why } = useMay('developer')
  const [open, setOpen] = useState(false)
  return (
    <Group title={words.title} about={words.about}>
      <Row>
        <Button why={why} onClick={() => setOpen(true)}>
          {words.button}
        </Button>
      </Row>
      {open && <NarrowDialog agent={agent} onClose={() => setOpen(false)} />}
    </Group>
  )
}

function NarrowDialog({ agent, onClose }: { agent: AgentRow; onClose(): void }): ReactNode {
  const { id, app_key: appKey, user_id: user, name, apps, functions, read_only: isReadOnly } = agent
  const door = areaA(appKey, user)
  const accounts = useRead(door, listOwnAccounts, { body: {} }, { enabled: apps === null })
  const connected = [...new Set((accounts.data?.connected_accounts ?? []).map(({ app }) => app))]
  const offeredApps = apps ?? connected
  const [isWhole, setWhole] = useState(apps === null)
  const [withoutApps, setWithoutApps] = useState<readonly string[]>([])
  const [withoutFunctions, setWithoutFunctions] = useState<readonly string[]>([])
  // The functions that a token keeps that lists none yet; undefined for all.
  const [onlyFunctions, setOnlyFunctions] = useState<ReadonlySet<string> | undefined>(undefined)
  const [readOnly, setReadOnly] = useState(isReadOnly)
  const titleOf = useAppTitles()
  const change = useChange(door, narrowMcpToken, { done: words.done, refresh: [] })
  const refreshList = useRefreshList()

  const keptApps = offeredApps.filter((app) => !withoutApps.includes(app))
  const keptFunctions =
    functions === null
      ? onlyFunctions && [...onlyFunctions].filter((fn) => keptApps.some((app) => fn.startsWith(`${app}-`)))
      : functions.filter((fn) => !withoutFunctions.includes(fn))
  const takesFunctions = withoutFunctions.length > 0 || onlyFunctions !== undefined
  const takesApps = apps === null ? !isWhole : withoutApps.length > 0
  const why =
    takesApps && keptApps.length === 0
      ? words.chooseApp
      : keptFunctions?.length === 0
        ? words.chooseFunction
        : takesApps || takesFunctions || readOnly !== isReadOnly
          ? undefined
          : words.nothing
  const store = async () => {
    const body = {
      ...(takesApps && { apps: keptApps }),
      ...(takesFunctions && { functions: keptFunctions }),
      ...(readOnly !== isReadOnly && { read_only: true }),
    }
    if ((await change.run({ params: { id }, body })) === undefined) return
    refreshList('agents')
    onClose()
  }
  return (
    <FormDialog title={words.dialog(name)} action={words.save} busy={change.running} why={why} submit={store} onClose={onClose}>
      <fieldset className={styles.group}>
        <legend>{words.whichApps}</legend>
        {apps === null && (
          <Choice
            label={words.whichApps}
            value={isWhole ? 'all' : 'some'}
            choices={[
              { value: 'all', label: words.all },
              { value: 'some', label: words.some },
            ]}
            onChange={(value) => setWhole(value === 'all')}
          />
        )}
        {isWhole && <p className={styles.help}>{words.allHelp}</p>}
        {!isWhole && offeredApps.length === 0 && accounts.data !== undefined && <p className={styles.help}>{words.noApps}</p>}
        {!isWhole && <Boxes names={offeredApps} labelOf={titleOf} without={withoutApps} onChange={setWithoutApps} />}
      </fieldset>
      <fieldset className={styles.group}>
        <legend>{words.functions}</legend>
        {functions === null ? (
          <OnlyFunctions appKey={appKey} apps={isWhole ? offeredApps : keptApps} only={onlyFunctions} onChange={setOnlyFunctions} />
        ) : (
          <Boxes names={functions} without={withoutFunctions} onChange={setWithoutFunctions} />
        )}
      </fieldset>
      <Checkbox
        label={words.readOnly}
        help={isReadOnly ? words.alreadyReadOnly : words.readOnlyHelp}
        checked={readOnly}
        disabled={isReadOnly}
        onChange={(event) => setReadOnly(event.target.checked)}
      />
      <ChangeError error={change.error} />
    </FormDialog>
  )
}

type OnlyProps = {
  appKey: string
  apps: readonly string[]
  only: ReadonlySet<string> | undefined
  onChange(only: ReadonlySet<string> | undefined): void
}

/** Chooses functions for a token that allows all functions of its apps. */
function OnlyFunctions({ appKey, apps, only, onChange }: OnlyProps): ReactNode {
  return (
    <>
      <Choice
        label={words.functions}
        value={only === undefined ? 'all' : 'some'}
        choices={[
          { value: 'all', label: words.all },
          { value: 'some', label: words.some },
        ]}
        onChange={(value) => onChange(value === 'all' ? undefined : new Set())}
      />
      {only !== undefined && apps.length === 0 && <p className={styles.help}>{words.noApps}</p>}
      {only !== undefined && apps.map((app) => <FunctionsOf key={app} app={app} appKey={appKey} only={only} onChange={onChange} />)}
    </>
  )
}

function FunctionsOf({
  app,
  appKey,
  only,
  onChange,
}: {
  app: string
  appKey: string
  only: ReadonlySet<string>
  onChange: OnlyProps['onChange']
}): ReactNode {
  const { data } = useRead(functionsDoor, readCatalogApp, { params: { app }, query: { app_key: appKey } })
  const names = (data?.functions ?? []).map(({ name }) => name)
  const others = [...only].filter((name) => !names.includes(name))
  return (
    <details>
      <summary>{words.functionsOf(data?.title ?? app)}</summary>
      <Boxes
        names={names}
        without={names.filter((name) => !only.has(name))}
        onChange={(without) => onChange(new Set([...others, ...names.filter((name) => !without.includes(name))]))}
      />
    </details>
  )
}

type BoxesProps = {
  names: readonly string[]
  /** Returns what a box shows; the name by default. */
  labelOf?: (name: string) => string
  without: readonly string[]
  onChange(without: readonly string[]): void
}

function Boxes({ names, labelOf = (name) => name, without, onChange }: BoxesProps): ReactNode {
  return (
    <div className={styles.boxes}>
      {names.map((name) => (
        <Checkbox
          key={name}
          label={labelOf(name)}
          checked={!without.includes(name)}
          onChange={(event) => onChange(event.target.checked ? without.filter((one) => one !== name) : [...without, name])}
        />
      ))}
    </div>
  )
}
