// Prints what opening the store of a URL answers, by a liborlop that is loaded by its path, as a Node program does.
// Run: node named_store.js LIBORLOP URL
import koffi from "koffi";

const Handle = koffi.opaque("orlop_handle");
koffi.struct("orlop_text", { data: "const char *", size: "size_t" });
const Options = koffi.struct("orlop_options", { size: "size_t", storage: "orlop_text" });
const [path, url] = process.argv.slice(2);
const library = koffi.load(path);
const open = library.func("orlop_handle *orlop_open(_Out_ orlop_handle **engine, const orlop_options *options)");
const close = library.func("orlop_handle *orlop_close(orlop_handle *engine)");
const errorMessage = library.func("const char *orlop_error_message(orlop_handle *error)");
const errorFree = library.func("void orlop_error_free(orlop_handle *error)");

const opened = [null];
const error = open(opened, { size: koffi.sizeof(Options), storage: { data: url, size: Buffer.byteLength(url) } });
if (error) {
  console.log(errorMessage(error));
  errorFree(error);
} else {
  console.log("opened");
  close(opened[0]);
}
