extension Controller {
    /// All controllers, by the names of the equivalent policies in `Harness/apps`.
    public static let all: [String: Controller.Type] = [
        "layer-trick": LayerTrick.self,
        "renditions": Renditions.self,
        "switch-and-resume-audio": SwitchAndResumeAudio.self,
        "switch-if-rate": SwitchIfRate.self,
        "switch-if-was-playing": SwitchIfWasPlaying.self,
        "switch-preloaded": SwitchPreloaded.self,
        "switch-until-audible": SwitchUntilAudible.self,
        "switch-when-ready": SwitchWhenReady.self,
    ]
}
