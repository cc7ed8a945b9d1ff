internal import CSegueSystem

/// The processes that write to a file.
package enum FileWriters {
    /// Returns whether a process of this machine has a file open for writing; nil if that is unknown.
    ///
    /// It is unknown for files of other users and on most network file systems.
    package static func exist(path: String) -> Bool? {
        switch skern_is_being_written(path) {
        case 0: false
        case 1: true
        default: nil
        }
    }
}
