// Writes files into a folder of the person's, such as the one that an editor has open. Only some browsers can: Chrome and Edge.
export interface Folder {
  name: string;
  getDirectoryHandle(name: string, options: { create: boolean }): Promise<Folder>;
  getFileHandle(name: string, options: { create: boolean }): Promise<{ createWritable(): Promise<Writable> }>;
}

interface Writable {
  write(text: string): Promise<void>;
  close(): Promise<void>;
}

type Picker = (options: { mode: 'readwrite' }) => Promise<Folder>;

const picker = () => (globalThis as { showDirectoryPicker?: Picker }).showDirectoryPicker;

export const canSaveToFolder = () => picker() !== undefined;

// Null: the person chose none.
export async function chooseFolder(): Promise<Folder | null> {
  try {
    return await picker()!.call(globalThis, { mode: 'readwrite' });
  } catch (error) {
    if ((error as Error).name === 'AbortError') return null;
    throw error;
  }
}

export async function saveToFolder(folder: Folder, files: { path: string; text: string }[]): Promise<void> {
  for (const { path, text } of files) {
    const names = path.split('/');
    let place = folder;
    for (const name of names.slice(0, -1)) place = await place.getDirectoryHandle(name, { create: true });
    const file = await (await place.getFileHandle(names.at(-1)!, { create: true })).createWritable();
    await file.write(text);
    await file.close();
  }
}
