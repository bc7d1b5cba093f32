// Dialogs that both the sidebar and the chat page open.
export const panels = $state({ search: false, shortcuts: false, conversations: false });
