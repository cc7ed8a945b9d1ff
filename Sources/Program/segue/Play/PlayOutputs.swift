import Foundation
import SegueBase
import SegueCharts
import SegueEvents
import SegueSuite

/// The output files of a play command, opened before anything is played.
struct PlayOutputs {
    private let log: OutputFile?
    private let accessLog: OutputFile?
    private let errorLog: OutputFile?
    private let json: OutputFile?
    private let picture: ImageFile?
    private let model: OutputFile?
    private let audio: OutputFile?
    private let title: String
    private let media: DeliveredMedia?

    /// Opens the files, and stores delivered media if one of them needs it.
    ///
    /// - Throws: ``CommandFailure`` if one of them cannot be written.
    init(of command: PlayCommand, _ run: ScenarioRun) throws {
        log = try command.log.map(OutputFile.init)
        accessLog = try command.accessLog.map(OutputFile.init)
        errorLog = try command.errorLog.map(OutputFile.init)
        json = try command.json.map(OutputFile.init)
        picture = try command.draw.map { try ImageFile(path: $0) }
        model = try command.qualityModel.map(OutputFile.init)
        audio = try command.wav.map(OutputFile.init)
        title = command.title
        do {
            media = audio == nil && json == nil && model == nil ? nil : try DeliveredMedia()
        } catch {
            throw CommandFailure(error)
        }
        if let media { run.delivered = media.take }
    }

    /// Writes the outputs of a run, the audio last.
    ///
    /// An error in one file does not affect the others.
    ///
    /// - Parameters:
    ///   - run: The run, which has ended.
    /// - Returns: The summary lines and the errors.
    func write(_ run: ScenarioRun, findings: [Finding]) -> (lines: [String], failures: [CommandFailure]) {
        var failures: [CommandFailure] = []
        func attempt(_ path: String?, _ work: () throws -> Void) {
            do {
                try work()
            } catch {
                failures.append(
                    error as? CommandFailure ?? path.map { CommandFailure($0, "\(error)") } ?? CommandFailure(error)
                )
            }
        }
        attempt(log?.path) { try log?.write(Data(run.log.jsonLines.utf8)) }
        attempt(accessLog?.path) { try accessLog?.write(Data(run.accessLog.utf8)) }
        attempt(errorLog?.path) { try errorLog?.write(Data(run.errorLog.utf8)) }
        let heard = media.map { HeardAudio($0, stretches: run.stretches, end: run.now, source: run.source) }
        var report = PlayReport(
            metrics: CaseMetrics(run.metrics, sampleRate: nil),
            quality: PlaybackQuality(log: run.log),
            switches: []
        )
        attempt(json?.path) {
            report.metrics = CaseMetrics(run.metrics, sampleRate: try heard?.format()?.rate)
            report.metrics.add(run.log)
            report.switches = try heard?.reports(of: run.switches) ?? []
        }
        attempt(json?.path) { try json?.write(JSONEncoder.readable.encode(report)) }
        attempt(nil) {
            let timeline = RunTimeline(log: run.log, findings: findings)
            try picture?.write(timeline, title: title, about: report.metrics.words)
        }
        if let heard {
            attempt(model?.path) {
                try model?.write(JSONEncoder.readable.encode(heard.qualityModelInput(report.quality)))
            }
            attempt(audio?.path) { if let audio { _ = try heard.write(to: audio.path) } }
        }
        return (report.lines, failures)
    }
}
