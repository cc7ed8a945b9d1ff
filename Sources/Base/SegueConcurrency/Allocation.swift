/// Ends the process when a C library cannot allocate a structure or bytes.
///
/// An error needs memory as well, and Linux ends a process that uses too much before an allocation fails.
package func endWithoutMemory() -> Never { fatalError("out of memory") }
