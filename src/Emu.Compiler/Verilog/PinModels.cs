using System.Text;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Verilog;

/// <summary>Models that stand at pins in a simulation: an instance for each, beside the module.</summary>
internal static class PinModels
{
    /// <summary>The part of a module; empty where no module has pins.</summary>
    public static string Print(Design design, VerilogScope scope)
    {
        var text = new StringBuilder();
        foreach (var instance in design.Cores)
        {
            if (instance.Core.Model is not { } model) continue;
            var pins = instance.Core.Pins.Zip(scope.PinsOf(instance), (pin, wire) => (pin, wire)).ToList();
            foreach (var (pin, wire) in pins)
                text.Append($"wire {VerilogPrinter.Ranged(pin.Width)}{wire};\n");
            text.Append($"{model.Module} {scope.Name($"{instance.Name}_model")} (\n    ")
                .AppendJoin(
                    ",\n    ", [".clk(clk)", ".rst(rst)", .. pins.Select(pin => $".{pin.pin.Name}({pin.wire})")])
                .Append("\n);\n");
        }
        return text.Length == 0 ? "" : VerilogLayout.Banner(["What stands at pins, in this simulation"]) + text;
    }
}
