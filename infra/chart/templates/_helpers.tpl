{{/* The names of all objects begin with this one. */}}
{{- define "onward.name" -}}
{{- $name := .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- contains "onward" $name | ternary $name (printf "%s-onward" $name) -}}
{{- end -}}

{{/* Takes (list root component). */}}
{{- define "onward.selector" -}}
app.kubernetes.io/name: onward
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{- define "onward.labels" -}}
{{ include "onward.selector" . }}
app.kubernetes.io/version: {{ (index . 0).Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ (index . 0).Release.Service }}
helm.sh/chart: {{ (index . 0).Chart.Name }}-{{ (index . 0).Chart.Version }}
{{- end -}}

{{- define "onward.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end -}}
{{- end -}}

{{/* The name of a Secret: takes (list root "admin"). */}}
{{- define "onward.secret" -}}
{{- index (index . 0).Values.secrets (index . 1) | default (printf "%s-%s" (include "onward.name" (index . 0)) (index . 1)) -}}
{{- end -}}

{{/* A variable from a Secret: takes (dict "root" "name" "service" "optional"). */}}
{{- define "onward.secretVariable" -}}
{{- $from := get (index .root.Values .service).secretsFrom .name | default dict -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ $from.name | default (include "onward.secret" (list .root .service)) }}
      key: {{ $from.key | default .name }}
      {{- if and .optional (not $from) }}
      optional: true
      {{- end }}
{{- end -}}

{{/* The variables that migrations need: takes (list root service). */}}
{{- define "onward.databaseVariables" -}}
{{- $root := index . 0 -}}{{- $service := index . 1 -}}
{{ include "onward.secretVariable" (dict "root" $root "service" $service "name" "DATABASE_URL") }}
{{ include "onward.secretVariable" (dict "root" $root "service" $service "name" "DATABASE_DIRECT_URL" "optional" true) }}
{{- end -}}

{{/* The security of a pod: takes (dict "runAsUser"), where null means a user of the image or of the platform. */}}
{{- define "onward.podSecurity" -}}
runAsNonRoot: true
{{- with .runAsUser }}
runAsUser: {{ . | int }}
{{- end }}
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "onward.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{/* Where pods run: takes the values of a component. */}}
{{- define "onward.placement" -}}
{{- with .nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end -}}

{{/* Spreads pods over zones and nodes, where that is possible: takes (list root component). */}}
{{- define "onward.spread" -}}
topologySpreadConstraints:
  {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - topologyKey: {{ . }}
    maxSkew: 1
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{ include "onward.selector" $ | nindent 8 }}
  {{- end }}
{{- end -}}

{{- define "onward.pullSecrets" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
{{- end -}}

{{/*
Whether the pods run the migrations before they start, and not a Job before the release is installed. The Job cannot run first if this chart
also creates the database or the Secrets that it needs.
*/}}
{{- define "onward.migrateInPods" -}}
{{- if or .Values.trial.enabled .Values.externalSecrets.enabled }}true{{ end -}}
{{- end -}}

{{/* The container that runs the migrations: takes (list root service). */}}
{{- define "onward.migrateContainer" -}}
- name: migrate
  image: {{ include "onward.image" (index . 0) }}
  imagePullPolicy: {{ (index . 0).Values.image.pullPolicy }}
  args: [services/{{ index . 1 }}/dist/main.js, migrate]
  env: {{ include "onward.databaseVariables" . | nindent 4 }}
  resources:
    requests: { cpu: 50m, memory: 128Mi }
    limits: { memory: 256Mi }
  securityContext: {{ include "onward.containerSecurity" . | nindent 4 }}
  {{- with (index (index . 0).Values (index . 1)).extraVolumeMounts }}
  volumeMounts: {{ toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
