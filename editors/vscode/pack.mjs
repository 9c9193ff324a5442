// Packs the extension into a .vsix, which is a zip with two files of its own: node pack.mjs [OUTPUT]. Needs neither a network nor vsce.
import { readFileSync, writeFileSync } from "node:fs";
import { zip } from "./zip.mjs";

const folder = new URL(".", import.meta.url);
const read = (name) => readFileSync(new URL(name, folder));
const { name, displayName, description, version, publisher, engines } = JSON.parse(read("package.json"));

export const files = ["package.json", "extension.js", "client.js", "language-configuration.json", "README.md", "syntaxes/prejoin.tmLanguage.json"];

const manifest = `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${name}" Version="${version}" Publisher="${publisher}"/>
    <DisplayName>${displayName}</DisplayName>
    <Description>${description}</Description>
    <Properties><Property Id="Microsoft.VisualStudio.Code.Engine" Value="${engines.vscode}"/></Properties>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/></Assets>
</PackageManifest>
`;
const types = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension=".json" ContentType="application/json"/><Default Extension=".js" ContentType="application/javascript"/><Default Extension=".md" ContentType="text/markdown"/><Default Extension=".vsixmanifest" ContentType="text/xml"/></Types>
`;

export function pack() {
  return zip([
    ["extension.vsixmanifest", Buffer.from(manifest)],
    ["[Content_Types].xml", Buffer.from(types)],
    ...files.map((file) => [`extension/${file}`, read(file)]),
  ]);
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const output = process.argv[2] ?? `${name}-${version}.vsix`;
  writeFileSync(output, pack());
  console.log(output);
}
