using System.Reflection;
using Emu.Compiler.IR;

namespace Emu.Compiler.Frontend;

internal sealed partial class Translator
{
    /// <summary>
    /// Calls a method of which there is one copy. Numbers go there and back by registers, of variables that it has
    /// pointers to as well (call by value and result); all else is known, and the same in all calls of the copy.
    /// </summary>
    /// <returns>False if the method is to be translated in place of the call.</returns>
    private bool TryCallProcedure(
        MethodBase method, IReadOnlyList<AbstractValue> arguments, out AbstractValue? result)
    {
        result = null;
        if (_procedures?.Takes(method) != true || _builder.Current is null) return false;
        var (structure, numbers, variables) = (new List<object?>(), new List<Value>(), new List<Slot>());
        var map = new ValueMap(Noting(numbers), PlaceIn(variables, structure.Add), structure.Add);
        foreach (var argument in arguments) map.Of(argument);
        // A variable may hold pointers to others.
        for (var i = 0; i < variables.Count; i++) map.Of(_builder.Read(variables[i]));
        var key = new CallKey(method, structure);
        if (!map.IsWhole || _procedures.IsInlined(key)) return false;
        var procedure = _procedures.Called(key) ?? MakeProcedure(key, arguments, numbers, variables);
        if (procedure is null)
        {
            _procedures.Inline(key);
            return false;
        }
        result = CallProcedure(key, procedure, numbers, variables);
        return true;
    }

    private static Func<Value, Value> Noting(List<Value> numbers) => number =>
    {
        numbers.Add(number);
        return number;
    };

    /// <summary>Notes each variable once, and tells its place.</summary>
    private static Func<Slot, Slot> PlaceIn(List<Slot> variables, Action<object?> tell) => variable =>
    {
        if (!variables.Contains(variable)) variables.Add(variable);
        tell(variables.IndexOf(variable));
        return variable;
    };

    /// <summary>Translates a method as a function of its own; null if it cannot be one.</summary>
    private Procedure? MakeProcedure(
        CallKey key, IReadOnlyList<AbstractValue> arguments, List<Value> numbers, List<Slot> variables)
    {
        if (!_procedures!.TryBegin(key)) return null;
        var (name, caller, location) = (_procedures.NameFor(key.Method), _builder.Current, _builder.Location);
        var contents = variables.ConvertAll(_builder.Read);
        var entry = _builder.NewBlock();
        _builder.Seal(entry);
        _builder.Current = entry;
        try
        {
            List<(Register? Register, Constant? Constant)> places =
                [.. numbers.Select((number, i) => PlaceOf(key, name, number, i))];
            var parameters = new Dictionary<Value, int>(ReferenceEqualityComparer.Instance);
            var own = variables.ConvertAll(variable => new Slot(variable.Name));
            var next = 0;
            Value Parameter(Value number)
            {
                var (place, (register, constant)) = (next, places[next++]);
                if (constant is not null) return constant;
                var value = _builder.Emit(Opcode.RegisterRead, number.Width, [register!]);
                parameters[value] = place;
                return value;
            }
            var map = new ValueMap(Parameter, variable => own[variables.IndexOf(variable)]);
            List<AbstractValue> inside = [.. arguments.Select(map.Of)];
            for (var i = 0; i < own.Count; i++) _builder.Write(own[i], map.Of(contents[i]));
            var returned = Inline(key.Method, inside);
            if (_builder.Current is null) return null;
            var left = own.ConvertAll(_builder.Read);
            var results = new Dictionary<Value, Register>(ReferenceEqualityComparer.Instance);
            var isWhole = true;
            var leaving = new ValueMap(number => Leave(number, name, parameters, results), variable =>
            {
                // A variable of the procedure's own is gone behind it.
                isWhole &= own.Contains(variable);
                return variable;
            });
            foreach (var value in left) leaving.Of(value);
            if (returned is not null) leaving.Of(returned);
            if (!isWhole || !leaving.IsWhole) return null;
            _builder.End(new GoBack());
            var procedure = new Procedure(
                new Function(name, entry), places, parameters, results, own, left, returned);
            _procedures.Add(key, procedure);
            return procedure;
        }
        finally
        {
            (_builder.Current, _builder.Location) = (caller, location);
        }
    }

    /// <summary>The place of a number of the arguments: a constant as long as no call has another.</summary>
    private (Register? Register, Constant? Constant) PlaceOf(CallKey key, string name, Value number, int place) =>
        number is Constant constant && !_procedures!.Varies(key, place)
            ? (null, constant)
            : (new Register($"{name}.argument{place}", number.Width, 0) { IsTransient = true }, null);

    /// <summary>Puts a number that a procedure has made into a register.</summary>
    private Value Leave(
        Value number, string name, Dictionary<Value, int> parameters, Dictionary<Value, Register> results)
    {
        if (number is Constant || parameters.ContainsKey(number) || results.ContainsKey(number)) return number;
        var register = new Register($"{name}.result{results.Count}", number.Width, 0) { IsTransient = true };
        _builder.Emit(Opcode.RegisterWrite, 1, [register], number);
        results[number] = register;
        return number;
    }

    private AbstractValue? CallProcedure(
        CallKey key, Procedure procedure, List<Value> numbers, List<Slot> variables)
    {
        foreach (var (i, (register, constant)) in procedure.Arguments.Index())
        {
            if (register is not null) _builder.Emit(Opcode.RegisterWrite, 1, [register], numbers[i]);
            else if (!Constant.AreSame(constant!, numbers[i])) _procedures!.Vary(key, i);
        }
        _builder.Add(new Operation(Opcode.Call, 1) { Callee = procedure.Function, Location = _builder.Location });
        var results = new Dictionary<Value, Value>(ReferenceEqualityComparer.Instance);
        foreach (var (value, register) in procedure.Results)
            results[value] = _builder.Emit(Opcode.RegisterRead, value.Width, [register]);
        Value Known(Value number) =>
            number is Constant ? number
            : procedure.Parameters.TryGetValue(number, out var place) ? numbers[place]
            : results[number];
        var own = procedure.Variables.ToList();
        var map = new ValueMap(Known, variable => variables[own.IndexOf(variable)]);
        for (var i = 0; i < variables.Count; i++) _builder.Write(variables[i], map.Of(procedure.Contents[i]));
        return procedure.Returned is null ? null : map.Of(procedure.Returned);
    }
}
