{{- define "saegim.labels" -}}
app.kubernetes.io/name: saegim
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "saegim.selector" -}}
app.kubernetes.io/name: saegim
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "saegim.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* What every pod of ours has: no rights, and its place. */}}
{{- define "saegim.pod" -}}
automountServiceAccountToken: false
# Else a Service named `saegim` sets SAEGIM_PORT=tcp://…, and no process starts.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: {type: RuntimeDefault}
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "saegim.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end }}

{{- define "saegim.env" -}}
- name: SAEGIM_DATA
  value: /var/lib/saegim
- name: SAEGIM_API_PROCESSES
  value: {{ .Values.api.replicas | quote }}
- name: SAEGIM_METRICS_PORT
  value: {{ .Values.metrics.port | quote }}
{{- with .Values.index.url }}
- name: SAEGIM_INDEX_URL
  value: {{ . | quote }}
{{- end }}
{{- if and .Values.ingress.enabled .Values.ingress.tlsSecret (not .Values.settings.SAEGIM_PUBLIC_URL) }}
- name: SAEGIM_PUBLIC_URL
  value: {{ printf "https://%s" .Values.ingress.host | quote }}
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{- define "saegim.mounts" -}}
- name: tmp
  mountPath: /tmp
- name: data
  mountPath: /var/lib/saegim
{{- end }}

{{- define "saegim.volumes" -}}
- name: tmp
  emptyDir: {}
- name: data
{{- if .Values.index.url }}
  emptyDir: {}
{{- else }}
  persistentVolumeClaim:
    claimName: {{ .Release.Name }}-index
{{- end }}
{{- end }}
