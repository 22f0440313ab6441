// Prints what opening the store of a URL answers, by a liborlop that is loaded by its path, as a Java program does.
// Run: java -cp jna.jar NamedStore.java LIBORLOP URL
import com.sun.jna.Memory;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import java.nio.charset.StandardCharsets;

public final class NamedStore {
  public static void main(String[] given) {
    NativeLibrary library = NativeLibrary.getInstance(given[0]);
    byte[] url = given[1].getBytes(StandardCharsets.UTF_8);
    Memory text = new Memory(url.length);
    text.write(0, url, 0, url.length);
    // The first members of orlop_options: size, storage.
    Memory options = new Memory(24);
    options.setLong(0, options.size());
    options.setPointer(8, text);
    options.setLong(16, url.length);
    PointerByReference engine = new PointerByReference();
    Pointer error = (Pointer) library.getFunction("orlop_open").invoke(Pointer.class, new Object[] {engine, options});
    if (error == null) {
      System.out.println("opened");
      library.getFunction("orlop_close").invoke(Pointer.class, new Object[] {engine.getValue()});
    } else {
      System.out.println(library.getFunction("orlop_error_message").invokeString(new Object[] {error}, false));
      library.getFunction("orlop_error_free").invokeVoid(new Object[] {error});
    }
  }
}
