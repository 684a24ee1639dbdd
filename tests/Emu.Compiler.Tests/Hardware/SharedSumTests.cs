using Emu.Protocols;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>The low bits of a sum that is needed whole are no second adder.</summary>
public sealed class SharedSumTests
{
    private const int HeaderWords = 10;

    [Fact]
    public void The_check_of_a_header_takes_as_many_adders_as_it_has_words_but_one()
    {
        var design = CompiledService.Of(new HeaderCheck(), new HardwareOptions(), Layout.Pipeline).Circuit.Design;
        var order = new CombinationalOrder();
        foreach (var flop in design.Flops) order.Add(flop.Next);
        var sums = order.Values.OfType<Operation>().Where(o => o.Opcode == Opcode.Add && o.Width is >= 16 and < 32);
        Assert.Equal(HeaderWords - 1, sums.Count());
    }

    [Fact]
    public void It_is_done_as_in_software() => Ladder.Check(() => new HeaderCheck());

    private sealed class HeaderCheck : Service
    {
        public override void Process(ref Frame frame)
        {
            if (IPv4.TryParse(new Ethernet(frame).Payload, out var ip) && ip.HeaderLength == IPv4.MinHeaderLength && ip.HasValidHeaderChecksum) frame.Reply();
        }
    }
}
