using System.Diagnostics.CodeAnalysis;
using Emu.Compiler.Layouts;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler.Pipelines;

/// <summary>The outcome of making a pipeline: the circuit, or what forbids it.</summary>
internal readonly record struct PipelineAttempt
{
    /// <summary>There is a pipeline.</summary>
    public PipelineAttempt(Circuit circuit) => Circuit = circuit;

    /// <summary>There is none.</summary>
    public PipelineAttempt(PipelineObstacle obstacle) => Obstacle = obstacle;

    /// <summary>The circuit; null if there is none.</summary>
    public Circuit? Circuit { get; }

    /// <summary>The reason for which there is none; null if there is a circuit.</summary>
    public PipelineObstacle? Obstacle { get; }

    /// <summary>Gives the circuit, or else the obstacle.</summary>
    public bool Succeeds(
        [NotNullWhen(true)] out Circuit? circuit, [NotNullWhen(false)] out PipelineObstacle? obstacle)
    {
        (circuit, obstacle) = (Circuit, Obstacle);
        return circuit is not null;
    }
}
