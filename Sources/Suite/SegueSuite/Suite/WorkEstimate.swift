internal import SegueConcurrency
internal import SegueFFmpeg
internal import SegueOrigin

/// Estimates the work of a file without opening it.
///
/// The estimate decides the order of files, their division among machines, and the forecast of the end.
enum WorkEstimate {
    /// The weight of a byte by kind of file, relative to copied video, measured over some hundred files: transcoded
    /// audio is longer for its size, and transcoded video is more work.
    private static let weights: [(weight: Int64, fileExtensions: Set<String>)] = [
        (2, ["aac", "m4a", "m4b", "mp3", "ac3", "eac3", "wav", "aif", "aiff", "flac"]),
        (6, ["ogg", "oga", "opus", "wma", "mka", "amr", "spx"]),
        (12, ["webm", "avi", "ogv", "wmv", "asf", "flv", "mpg", "mpeg", "vob", "ivf", "rm", "rmvb"]),
        (100, ["mod", "xm", "s3m", "it", "nsf", "spc", "mid"]),
    ]

    /// The indices of tasks, the one with most work first; ties keep their order.
    static func longestFirst(_ tasks: [FileTask]) -> [Int] {
        let work = tasks.map(work)
        return tasks.indices.sorted { (work[$1], $0) < (work[$0], $1) }
    }

    /// The expected work of a file's cases, in seconds of processor time.
    ///
    /// A machine of 2024 copies about a hundred megabytes of video per second, and takes five milliseconds for a case
    /// of a few minutes. Only the ratios between files matter.
    static func work(ofFileAt path: [UInt8]) -> CaseWork {
        CaseWork(once: 0.05 + Double(work(at: path)) / 4 / 100e6, each: 0.005)
    }

    /// The initial estimate of a task, which the measured pace of its kind corrects.
    static func forecast(of task: FileTask) -> Forecast.Work {
        guard task.title == nil else {
            return forecastOfTitle(cases: task.cases.count)
        }
        return forecast(FileNames.lowercaseExtension(task.path), weighted: work(of: task), cases: task.cases.count)
    }

    /// The initial estimate of a title, about which nothing is known.
    static func forecastOfTitle(cases: Int) -> Forecast.Work {
        Forecast.Work(kind: "", cost: workOfTitle, cases: cases, isTitle: true)
    }

    /// The expected work of a title, about whose size nothing is known before the first request.
    static let workOfTitle = CaseWork(once: 5, each: 0.01)

    /// The initial estimate of a file of a kind with a weighted size.
    ///
    /// Delivered content is decoded and compared with the decoded file at about ten megabytes of video per second. The
    /// first cases of a second rendition include its comparison.
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
