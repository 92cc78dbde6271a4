import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { type Helm, type Manifest, openHelm } from './use-helm.ts'

type Composed = {
  readonly services: Record<string, { environment: Record<string, string>; mem_limit: string; image: string }>
}

const VALUES = ['trial', 'production', 'openshift', 'external-secrets', 'gateway-api'] as const
const chart = join(process.cwd(), 'infra/chart')
const SERVICES = ['functions', 'insights'] as const

let helm: Helm | undefined
let compose: Composed
let schema: { properties: Record<string, { properties: Record<string, { properties: Record<string, unknown> }> }> }

beforeAll(async () => {
  helm = await openHelm()
  compose = parse(await readFile('docker-compose.yml', 'utf8'), { merge: true }) as Composed
  schema = JSON.parse(await readFile('infra/chart/values.schema.json', 'utf8'))
}, 400_000)

/** Returns the object of a kind whose name ends with `name`. */
function find(manifests: readonly Manifest[], kind: string, name: string): Manifest {
  const found = manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name.endsWith(name))
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`)
  return found
}

const containerOf = (manifest: Manifest) => manifest.spec.template.spec.containers[0]
const podsOf = (manifests: readonly Manifest[]) =>
  manifests
    .filter(({ kind }) => ['Deployment', 'StatefulSet', 'Job'].includes(kind))
    .map(({ spec, metadata }) => ({ ...spec.template.spec, of: metadata.name }))

/** Returns the environment of a container; a variable from a Secret has the name of its key. */
const environmentOf = (container: { env: { name: string; value?: string; valueFrom?: { secretKeyRef: { key: string } } }[] }) =>
  Object.fromEntries(container.env.map(({ name, value, valueFrom }) => [name, value ?? valueFrom?.secretKeyRef.key]))

/** The settings that the schema allows for a service. */
const settingsOf = (service: string) => Object.keys(schema.properties[service]?.properties.settings?.properties ?? {})

it.each(VALUES)('values/%s.yaml renders objects with the types of Kubernetes and of its operators', async (values) => {
  if (helm === undefined) return
  const manifests = await helm.render(values)
  expect(manifests.length).toBeGreaterThan(15)
  expect(await helm.checkTypes(manifests)).toBe('')
  const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
  expect(names).toEqual([...new Set(names)])
  await expect(helm.run('lint', '--strict', chart, '-f', `${chart}/values/${values}.yaml`)).resolves.toContain('0 chart(s) failed')
})

it('finds a field that Kubernetes does not have', async () => {
  if (helm === undefined) return
  const [first] = await helm.render('production')
  expect(await helm.checkTypes([{ ...(first as Manifest), specs: {} }])).toContain('specs')
})

it.each(SERVICES)('%s gets the variables of docker-compose.yml, and its limit of memory', async (service) => {
  if (helm === undefined) return
  const settings = Object.fromEntries(settingsOf(service).map((name) => [name, `value of ${name}`]))
  const { environment, mem_limit } = compose.services[service] as Composed['services'][string]
  const container = containerOf(find(await helm.render('production', { [service]: { settings } }), 'Deployment', service))
  expect(Object.keys(environmentOf(container)).sort()).toEqual([...Object.keys(environment), 'DATABASE_DIRECT_URL'].sort())
  expect(environmentOf(container)).toMatchObject(settings)
  expect(container.args).toEqual([`services/${service}/dist/main.js`])
  expect(container.resources.limits.memory).toBe(mem_limit === '1g' ? '1Gi' : mem_limit.replace('m', 'Mi'))
  expect(environmentOf(container).INTERNAL_PORT).toBe(String(environment.INTERNAL_PORT))
})

it('migrations get the variables of docker-compose.yml, and run before an upgrade, or in the pods if the chart creates their database', async () => {
  if (helm === undefined) return
  const production = await helm.render('production')
  for (const service of SERVICES) {
    const job = find(production, 'Job', `${service}-migrate`)
    expect(job.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' })
    expect(containerOf(job).args).toEqual([`services/${service}/dist/main.js`, 'migrate'])
    const { environment } = compose.services[`${service}-migrate`] as Composed['services'][string]
    expect(Object.keys(environmentOf(containerOf(job)))).toEqual([...Object.keys(environment), 'DATABASE_DIRECT_URL'])
  }
  for (const values of ['trial', 'external-secrets']) {
    const manifests = await helm.render(values)
    expect(manifests.filter(({ kind }) => kind === 'Job')).toEqual([])
    for (const service of SERVICES) {
      expect(find(manifests, 'Deployment', service).spec.template.spec.initContainers[0].args).toContain('migrate')
    }
  }
})

it('the command in the pod of tools gets the variables of docker-compose.yml', async () => {
  if (helm === undefined) return
  const container = containerOf(find(await helm.render('production'), 'Deployment', 'tools'))
  expect(Object.keys(environmentOf(container)).sort()).toEqual(Object.keys(compose.services.onward?.environment ?? {}).sort())
})

it('the trial starts the same images of the gateway, Postgres and Redis with the same variables as docker-compose.yml', async () => {
  if (helm === undefined) return
  const manifests = await helm.render('trial')
  for (const store of ['postgres', 'redis'] as const) {
    const container = containerOf(find(manifests, 'StatefulSet', `trial-${store}`))
    expect(container.image).toBe(compose.services[store]?.image)
    const variables = Object.keys(compose.services[store]?.environment ?? {}).filter((name) => name !== 'REDISCLI_AUTH')
    expect(Object.keys(environmentOf(container)).sort()).toEqual(variables.sort())
  }
  expect(containerOf(find(manifests, 'Deployment', 'gateway')).image).toBe(compose.services.gateway?.image)
  const { stringData } = find(manifests, 'Secret', 'onward-trial')
  expect(find(manifests, 'Secret', 'onward-functions').stringData).toEqual({
    DATABASE_URL: `postgres://functions:${stringData.FUNCTIONS_DB_PASSWORD}@onward-trial-postgres:5432/functions`,
    QUEUE_URL: `redis://functions:${stringData.FUNCTIONS_REDIS_PASSWORD}@onward-trial-redis:6379`,
    SEALING_KEYS: expect.stringMatching(/^k1:[\w+/]{43}=$/),
  })
})

it('the gateway, Redis, Postgres, the alerts and the dashboards have the files of this repository', async () => {
  if (helm === undefined) return
  const read = async (file: string) => await readFile(`infra/${file}`, 'utf8')
  const production = await helm.render('production')
  const trial = await helm.render('trial')
  expect(find(production, 'ConfigMap', 'gateway').data).toEqual({
    'nginx.conf': await read('gateway/nginx.conf'),
    'start.sh': await read('gateway/start.sh'),
  })
  expect(find(trial, 'ConfigMap', 'trial').data).toEqual({
    'create-databases.sh': await read('postgres/create-databases.sh'),
    'start.sh': await read('redis/start.sh'),
  })
  expect(find(production, 'PrometheusRule', 'onward').spec).toEqual(parse(await read('alerts.yml')))
  const { data } = find(production, 'ConfigMap', 'dashboards')
  expect(Object.keys(data).length).toBe(4)
  for (const [name, text] of Object.entries(data)) expect(text).toBe(await read(`dashboards/${name.replace('onward-', '')}`))
})

it.each(VALUES)(
  'with values/%s.yaml, no process runs as root, writes to its image, has a capability or a token of the cluster',
  async (values) => {
    if (helm === undefined) return
    for (const { of, ...pod } of podsOf(await helm.render(values))) {
      expect([of, pod]).toEqual([of, expect.objectContaining({ automountServiceAccountToken: false })])
      expect([of, pod.securityContext]).toEqual([
        of,
        expect.objectContaining({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } }),
      ])
      // OpenShift chooses the user of each pod. Elsewhere, only images that run as root need one.
      if (values === 'openshift') expect(pod.securityContext).not.toHaveProperty('runAsUser')
      for (const container of [...pod.containers, ...(pod.initContainers ?? [])]) {
        expect([of, container.securityContext]).toEqual([
          of,
          { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
        ])
        expect(container.resources.limits).toHaveProperty('memory')
      }
    }
  },
)

it('admits the gateway alone to the public ports of the services, and covers each pod with a NetworkPolicy', async () => {
  if (helm === undefined) return
  for (const values of VALUES) {
    const manifests = await helm.render(values)
    const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy')
    const covered = policies.map(({ spec }) => spec.podSelector.matchLabels['app.kubernetes.io/component'])
    for (const { spec } of manifests.filter(({ kind }) => ['Deployment', 'StatefulSet', 'Job'].includes(kind))) {
      expect(covered).toContain(spec.template.metadata.labels['app.kubernetes.io/component'])
    }
    for (const { spec } of policies) expect(spec.policyTypes).toEqual(['Ingress', 'Egress'])
    for (const [service, port] of [
      ['functions', 4000],
      ['insights', 4001],
    ] as const) {
      const [rule] = find(policies, 'NetworkPolicy', service).spec.ingress
      expect(rule).toEqual({
        ports: [{ port }],
        from: [{ podSelector: { matchLabels: expect.objectContaining({ 'app.kubernetes.io/component': 'gateway' }) } }],
      })
    }
  }
})

it('the gateway terminates TLS behind a load balancer, and takes plain HTTP from an Ingress or a Gateway only', async () => {
  if (helm === undefined) return
  for (const values of VALUES) {
    const manifests = await helm.render(values)
    const container = containerOf(find(manifests, 'Deployment', 'gateway'))
    const direct = values === 'trial' || values === 'production'
    const ports = container.ports.map(({ containerPort }: { containerPort: number }) => containerPort)
    expect([values, environmentOf(container).GATEWAY_BEHIND, ports]).toEqual([
      values,
      direct ? undefined : 'https-proxy',
      direct ? [8443, 8080] : [8088],
    ])
    const [rule] = find(manifests, 'NetworkPolicy', 'gateway').spec.ingress
    if (!direct) expect(rule.from).toEqual([{ namespaceSelector: expect.anything() }])
    const routes = manifests.filter(({ kind }) => kind === 'Ingress' || kind === 'HTTPRoute')
    expect([values, routes.length]).toEqual([values, direct ? 0 : 1])
  }
})

it('scales on CPU in place of a number of pods, and lets maintenance take one pod of each Deployment at a time', async () => {
  if (helm === undefined) return
  const manifests = await helm.render('production')
  for (const service of SERVICES) {
    expect(find(manifests, 'Deployment', service).spec).not.toHaveProperty('replicas')
    expect(find(manifests, 'HorizontalPodAutoscaler', service).spec.scaleTargetRef.name).toBe(`onward-${service}`)
  }
  for (const name of ['functions', 'insights', 'gateway']) expect(find(manifests, 'PodDisruptionBudget', name).spec.maxUnavailable).toBe(1)
})

it('gives the alerts the job and the ports that they name', async () => {
  if (helm === undefined) return
  const manifests = await helm.render('production')
  const { jobLabel, endpoints, selector } = find(manifests, 'ServiceMonitor', 'onward').spec
  for (const service of SERVICES) {
    const { metadata, spec } = find(manifests, 'Service', service) as Manifest & { metadata: { labels: Record<string, string> } }
    expect(metadata.labels).toMatchObject(selector.matchLabels)
    expect(metadata.labels[jobLabel]).toBe('onward')
    expect(spec.ports).toContainEqual({ name: endpoints[0].port, port: service === 'functions' ? 4010 : 4011, targetPort: 'internal' })
  }
  expect(find(manifests, 'Probe', 'gateway').spec.jobName).toBe('onward-gateway')
})

it.each([
  ['a missing public address', { publicUrl: '' }, 'set publicUrl'],
  ['plain HTTP', { publicUrl: 'http://onward.example.com' }, 'publicUrl'],
  ['an unknown setting', { functions: { settings: { CALL_TIMEOUT: '1' } } }, 'CALL_TIMEOUT'],
  ['a setting of the other service', { insights: { settings: { CALL_BODIES: 'all' } } }, 'CALL_BODIES'],
  ['a secret among the settings', { functions: { settings: { SEALING_KEYS: 'k1:x' } } }, 'SEALING_KEYS'],
  ['no certificate', { gateway: { tlsSecret: '' } }, 'set gateway.tlsSecret'],
  ['an Ingress controller at any address', { gateway: { entry: 'ingress' } }, 'set gateway.proxies'],
  ['an Ingress beside a load balancer', { ingress: { enabled: true, host: 'a.example.com', tlsSecret: 'a' } }, 'gateway.entry: ingress'],
])('refuses %s', async (_, more, reason) => {
  if (helm === undefined) return
  await expect(helm.render('production', more)).rejects.toThrow(reason)
})

it('packs the files of the repository into the package of the chart', async () => {
  if (helm === undefined) return
  const folder = await mkdtemp(join(tmpdir(), 'onward-chart-'))
  await helm.run('package', chart, '--destination', folder)
  const [name = ''] = await readdir(folder)
  const rendered = await helm.run('template', 'onward', join(folder, name), '--set', 'publicUrl=https://a.example.com,gateway.tlsSecret=a')
  expect(rendered).toContain('proxy_pass http://functions;')
  await rm(folder, { recursive: true })
})
