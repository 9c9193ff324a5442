// Starts `prejoin lsp` and passes what the editor asks on to it. The protocol is small enough here that no client library is needed, so the
// extension has no dependencies and packs without a network.
"use strict";
const vscode = require("vscode");
const { LanguageClient } = require("./client.js");

let client;

const toPosition = (at) => new vscode.Position(at.line, at.character);
const toRange = (range) => new vscode.Range(toPosition(range.start), toPosition(range.end));
const toLocation = (place) => new vscode.Location(vscode.Uri.parse(place.uri), toRange(place.range));
const toEdit = (edit) => new vscode.TextEdit(toRange(edit.range), edit.newText);

function toWorkspaceEdit(edit) {
  const all = new vscode.WorkspaceEdit();
  for (const [uri, edits] of Object.entries(edit?.changes ?? {})) all.set(vscode.Uri.parse(uri), edits.map(toEdit));
  return all;
}

function toSymbol(one) {
  const symbol = new vscode.DocumentSymbol(one.name, "", one.kind - 1, toRange(one.range), toRange(one.selectionRange));
  symbol.children = (one.children ?? []).map(toSymbol);
  return symbol;
}

const about = (document, position) => ({ textDocument: { uri: document.uri.toString() }, position });

function publish(collection, { uri, diagnostics }) {
  collection.set(
    vscode.Uri.parse(uri),
    diagnostics.map((one) => {
      const found = new vscode.Diagnostic(toRange(one.range), one.message, one.severity - 1);
      found.code = one.code;
      found.source = one.source;
      return found;
    }),
  );
}

function register(context, selector, legend) {
  const ask = (method, params) => client.request(`textDocument/${method}`, params);
  context.subscriptions.push(
    vscode.languages.registerHoverProvider(selector, {
      async provideHover(document, position) {
        const hover = await ask("hover", about(document, position));
        return hover && new vscode.Hover(new vscode.MarkdownString(hover.contents.value));
      },
    }),
    vscode.languages.registerDefinitionProvider(selector, {
      async provideDefinition(document, position) {
        const place = await ask("definition", about(document, position));
        return place && toLocation(place);
      },
    }),
    vscode.languages.registerReferenceProvider(selector, {
      async provideReferences(document, position) {
        return (await ask("references", about(document, position))).map(toLocation);
      },
    }),
    vscode.languages.registerRenameProvider(selector, {
      async prepareRename(document, position) {
        const range = await ask("prepareRename", about(document, position));
        if (!range) throw new Error("There is no name here.");
        return toRange(range);
      },
      async provideRenameEdits(document, position, newName) {
        return toWorkspaceEdit(await ask("rename", { ...about(document, position), newName }));
      },
    }),
    vscode.languages.registerDocumentFormattingEditProvider(selector, {
      async provideDocumentFormattingEdits(document) {
        return ((await ask("formatting", about(document))) ?? []).map(toEdit);
      },
    }),
    vscode.languages.registerDocumentSymbolProvider(selector, {
      async provideDocumentSymbols(document) {
        return (await ask("documentSymbol", about(document))).map(toSymbol);
      },
    }),
    vscode.languages.registerDocumentSemanticTokensProvider(
      selector,
      {
        async provideDocumentSemanticTokens(document) {
          const { data } = await ask("semanticTokens/full", about(document));
          return new vscode.SemanticTokens(new Uint32Array(data));
        },
      },
      new vscode.SemanticTokensLegend(legend.tokenTypes, legend.tokenModifiers),
    ),
    vscode.languages.registerFoldingRangeProvider(selector, {
      async provideFoldingRanges(document) {
        return (await ask("foldingRange", about(document))).map(
          (one) =>
            new vscode.FoldingRange(
              one.startLine,
              one.endLine,
              one.kind === "comment" ? vscode.FoldingRangeKind.Comment : undefined,
            ),
        );
      },
    }),
    vscode.languages.registerInlayHintsProvider(selector, {
      async provideInlayHints(document, range) {
        return (await ask("inlayHint", { ...about(document), range })).map((one) => {
          const hint = new vscode.InlayHint(toPosition(one.position), one.label);
          hint.paddingLeft = one.paddingLeft;
          return hint;
        });
      },
    }),
    vscode.languages.registerCodeLensProvider(selector, {
      async provideCodeLenses(document) {
        return (await ask("codeLens", about(document))).map((one) => new vscode.CodeLens(toRange(one.range), one.command));
      },
    }),
    vscode.languages.registerWorkspaceSymbolProvider({
      async provideWorkspaceSymbols(query) {
        return (await client.request("workspace/symbol", { query })).map(
          (one) => new vscode.SymbolInformation(one.name, one.kind - 1, one.containerName ?? "", toLocation(one.location)),
        );
      },
    }),
    vscode.languages.registerCompletionItemProvider(
      selector,
      {
        async provideCompletionItems(document, position) {
          return (await ask("completion", about(document, position))).map((one) => {
            const item = new vscode.CompletionItem(one.label, one.kind - 1);
            item.detail = one.detail;
            return item;
          });
        },
      },
      ".",
      " ",
      "{",
    ),
    vscode.languages.registerCodeActionsProvider(selector, {
      async provideCodeActions(document, range) {
        const actions = await ask("codeAction", { ...about(document), range, context: { diagnostics: [] } });
        return actions.map((one) => {
          const action = new vscode.CodeAction(one.title, vscode.CodeActionKind.QuickFix);
          action.edit = toWorkspaceEdit(one.edit);
          action.isPreferred = one.isPreferred;
          return action;
        });
      },
    }),
  );
}

// Each verb runs in a terminal of its own, on the saved file.
function registerCommands(context, command) {
  const run = (verb, ...more) => async (uri) => {
    const target = uri ? vscode.Uri.parse(uri.toString()) : vscode.window.activeTextEditor?.document.uri;
    if (!target) return;
    const document = await vscode.workspace.openTextDocument(target);
    if (document.isDirty) await document.save();
    const terminal = vscode.window.createTerminal({ name: `prejoin ${verb}`, shellPath: command, shellArgs: [verb, target.fsPath, ...more] });
    terminal.show(true);
  };
  context.subscriptions.push(
    vscode.commands.registerCommand("prejoin.prove", run("prove")),
    vscode.commands.registerCommand("prejoin.design", run("design")),
    vscode.commands.registerCommand("prejoin.cost", run("cost")),
    vscode.commands.registerCommand("prejoin.explain", (uri, name) => run("explain", ...(name ? [name] : []))(uri)),
    vscode.commands.registerCommand("prejoin.studio", async () => {
      const file = vscode.window.activeTextEditor?.document.uri.fsPath;
      if (!file) return;
      const shellArgs = ["serve", "--memory", "--model", file];
      vscode.window.createTerminal({ name: "prejoin serve", shellPath: command, shellArgs }).show(true);
      await vscode.env.openExternal(vscode.Uri.parse("http://127.0.0.1:8000/"));
    }),
  );
}

async function activate(context) {
  const selector = { language: "prejoin" };
  const findings = vscode.languages.createDiagnosticCollection("prejoin");
  const command = vscode.workspace.getConfiguration("prejoin").get("command");
  client = new LanguageClient(command, ["lsp"], {
    onNotification: (method, params) => method === "textDocument/publishDiagnostics" && publish(findings, params),
    onError: (error) => vscode.window.showErrorMessage(`Prejoin: ${error.message}. Is \`${command}\` installed?`),
  });
  const rootUri = vscode.workspace.workspaceFolders?.[0]?.uri.toString() ?? null;
  const { capabilities } = await client.request("initialize", { processId: process.pid, rootUri, capabilities: {} });
  client.notify("initialized", {});
  const ours = (document) => document.languageId === "prejoin";
  const open = (document) =>
    ours(document) &&
    client.notify("textDocument/didOpen", {
      textDocument: { uri: document.uri.toString(), languageId: "prejoin", version: document.version, text: document.getText() },
    });
  vscode.workspace.textDocuments.forEach(open);
  context.subscriptions.push(
    findings,
    vscode.workspace.onDidOpenTextDocument(open),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (!ours(document)) return;
      client.notify("textDocument/didChange", {
        textDocument: { uri: document.uri.toString(), version: document.version },
        contentChanges: contentChanges.map(({ range, text }) => ({ range, text })),
      });
    }),
    vscode.workspace.onDidCloseTextDocument((document) => {
      if (!ours(document)) return;
      findings.delete(document.uri);
      client.notify("textDocument/didClose", about(document));
    }),
  );
  register(context, selector, capabilities.semanticTokensProvider.legend);
  registerCommands(context, command);
}

async function deactivate() {
  await client?.stop();
}

module.exports = { activate, deactivate };
