using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Toolchains.InProcess.Emit;

namespace Emu.Bench;

/// <summary>
/// Single operations, by BenchmarkDotNet in this process; ratios are to the baseline of each class. Direction, whose
/// cost is smaller than their noise, is measured in turn.
/// </summary>
internal static class MicroBenchmarks
{
    public static IEnumerable<Ratio> Run()
    {
        var config = ManualConfig.CreateEmpty()
            .AddJob(Job.ShortRun.WithToolchain(InProcessEmitToolchain.Instance))
            .AddDiagnoser(MemoryDiagnoser.Default)
            .AddLogger(NullLogger.Instance)
            .AddColumnProvider(DefaultColumnProviders.Instance)
            .WithArtifactsPath(Path.Combine(Places.Build, "micro"));
        return new[] { typeof(Parsing), typeof(Processing), typeof(Simulating) }
            .SelectMany(type => Ratios(BenchmarkRunner.Run(type, config))).Concat(Directing.Run());
    }

    private static IEnumerable<Ratio> Ratios(Summary summary)
    {
        var baseline = summary.Reports.Single(r => r.BenchmarkCase.Descriptor.Baseline);
        foreach (var report in summary.Reports.Where(r => r != baseline && r.ResultStatistics is not null))
        {
            var own = report.ResultStatistics!;
            var unit = baseline.ResultStatistics!.Median;
            var bytes = report.GcStats.GetBytesAllocatedPerOperation(report.BenchmarkCase);
            yield return new Ratio(
                $"{Title(report)} / {Title(baseline)}", own.Median / unit, own.Q1 / unit, own.Q3 / unit, null,
                $"{own.Median:F1} ns; {bytes} B allocated");
        }
    }

    private static string Title(BenchmarkReport report) =>
        report.BenchmarkCase.Descriptor.WorkloadMethodDisplayInfo.Trim('\'');
}
