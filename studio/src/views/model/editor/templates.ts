// The form of each declaration, as the completion and the buttons of the toolbar write it. Between ${ and } stands what is to be
// replaced; the same words are replaced together.
export const templates: Record<string, string> = {
  entity: 'entity ${Name} {\n  id    text(~8) key\n  ${name}  text(~20)\n  count ${1_000}\n}',
  relationship: 'relationship ${Name}: ${One} one-to-many ${Other} {\n  each ${One} has ~${10}, at most ${100}\n  changes ${1/hour}\n}',
  pattern: 'pattern ${Name} "${What is asked}" {\n  find ${Entity} where ${id} = :${id}\n  rate ${1/s}\n}',
  write: 'write ${Name} "${What happens}" {\n  put ${Entity} once\n  rate ${1/s}\n}',
  table: 'table ${Name} partition PK sort SK {\n  item ${Entity} {\n    PK = "${ENTITY}#\\{id\\}"\n    SK = "${ENTITY}"\n  }\n}',
  sample: 'sample ${Entity} (${id, name}) {\n  ${"1", "First"}\n}',
};
