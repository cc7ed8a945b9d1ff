internal import SegueConcurrency
internal import SegueFFmpeg
internal import SegueOrigin

/// How much work a file is likely to be, from what can be known without opening it.
///
/// The order in which files are worked on depends on it, their division among machines, and what is told of the end.
enum WorkEstimate {
    /// What a byte of a kind of file takes, in bytes of film that is copied, measured over some hundred real files: sound
    /// that has to be coded anew is longer for its size, and pictures that have to be are more work.
    private static let weights: [(weight: Int64, fileExtensions: Set<String>)] = [
        (2, ["aac", "m4a", "m4b", "mp3", "ac3", "eac3", "wav", "aif", "aiff", "flac"]),
        (6, ["ogg", "oga", "opus", "wma", "mka", "amr", "spx"]),
        (12, ["webm", "avi", "ogv", "wmv", "asf", "flv", "mpg", "mpeg", "vob", "ivf", "rm", "rmvb"]),
        (100, ["mod", "xm", "s3m", "it", "nsf", "spc", "mid"]),
    ]

    /// The places of tasks, the one with most work first; of equal ones the first.
    static func longestFirst(_ tasks: [FileTask]) -> [Int] {
        let work = tasks.map(work)
        return tasks.indices.sorted { (work[$1], $0) < (work[$0], $1) }
    }

    /// How long a file's cases are likely to take, in seconds of processor time.
    ///
    /// A machine of 2024 takes some hundred megabytes a second of film that is copied, and five milliseconds for a case
    /// of a few minutes. What matters is how files compare with each other.
    static func work(ofFileAt path: [UInt8]) -> CaseWork {
        CaseWork(once: 0.05 + Double(work(at: path)) / 4 / 100e6, each: 0.005)
    }

    /// What is expected of a task before anything is known, to be corrected by what tasks of its kind take.
    static func forecast(of task: FileTask) -> Forecast.Work {
        guard task.title == nil else {
            return forecastOfTitle(cases: task.cases.count)
        }
        return forecast(FileNames.lowercaseExtension(task.path), weighted: work(of: task), cases: task.cases.count)
    }

    /// The same of a title, of which nothing is known.
    static func forecastOfTitle(cases: Int) -> Forecast.Work {
        Forecast.Work(kind: "", cost: CaseWork(once: 5, each: 0.01), cases: cases, isTitle: true)
    }

    /// The same of a file of a kind, whose bytes have been given their weight.
    ///
    /// What is delivered is decoded, and compared with what the file decodes to: some ten megabytes of film a second. The
    /// first cases of a second rendition bring the comparison of that.
    static func forecast(_ kind: String, weighted bytes: Int64, cases: Int) -> Forecast.Work {
        let once = 0.02 + Double(bytes) / 4 / 10e6
        return Forecast.Work(kind: kind, cost: CaseWork(once: once, each: 0.005 + once / 10), cases: cases)
    }

    private static func work(of task: FileTask) -> Int64 { work(at: task.path) }

    private static func work(at path: [UInt8]) -> Int64 {
        let size = FileStatus(path: path)?.size ?? 0
        let fileExtension = FileNames.lowercaseExtension(path)
        let weight = weights.first { $0.fileExtensions.contains(fileExtension) }?.weight ?? 4
        return min(size, 1 << 48) * weight
    }
}
