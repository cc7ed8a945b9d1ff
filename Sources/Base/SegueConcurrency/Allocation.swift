/// Ends the process where a C library has no memory for a structure, or for bytes that the program holds already.
///
/// Nothing that it could still do would be right then, an error needs memory too, and Linux ends a process that takes too
/// much before an allocation fails.
package func endWithoutMemory() -> Never { fatalError("out of memory") }
