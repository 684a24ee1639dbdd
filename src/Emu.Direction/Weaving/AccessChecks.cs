using Mono.Cecil;
using Mono.Cecil.Cil;

namespace Emu.Direction.Weaving;

/// <summary>
/// Lets a woven assembly see the fields of others that are not public, such as those of a table of Emu: the runtime
/// knows an attribute for that by its name, <c>IgnoresAccessChecksTo</c>, which an assembly has to bring along.
/// </summary>
internal static class AccessChecks
{
    private const string Namespace = "System.Runtime.CompilerServices", Name = "IgnoresAccessChecksToAttribute";

    /// <summary>
    /// Adds the attribute for the assembly itself, since a class of state reads the fields of others, and for those
    /// that it refers to, but those of .NET.
    /// </summary>
    public static void Ignore(ModuleDefinition module)
    {
        var constructor = Define(module);
        var names = module.AssemblyReferences.Select(reference => reference.Name)
            .Where(name => !name.StartsWith("System", StringComparison.Ordinal)).Prepend(module.Assembly.Name.Name);
        foreach (var name in names)
        {
            var attribute = new CustomAttribute(constructor);
            attribute.ConstructorArguments.Add(
                new CustomAttributeArgument(module.TypeSystem.String, name));
            module.Assembly.CustomAttributes.Add(attribute);
        }
    }

    private static MethodDefinition Define(ModuleDefinition module)
    {
        var type = new TypeDefinition(
            Namespace, Name, TypeAttributes.NotPublic | TypeAttributes.Sealed,
            module.ImportReference(typeof(Attribute)));
        var constructor = new MethodDefinition(
            ".ctor",
            MethodAttributes.Public | MethodAttributes.HideBySig | MethodAttributes.SpecialName
            | MethodAttributes.RTSpecialName,
            module.TypeSystem.Void);
        constructor.Parameters.Add(
            new ParameterDefinition("assemblyName", ParameterAttributes.None, module.TypeSystem.String));
        var il = constructor.Body.GetILProcessor();
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Call, new MethodReference(".ctor", module.TypeSystem.Void, type.BaseType) { HasThis = true });
        il.Emit(OpCodes.Ret);
        type.Methods.Add(constructor);
        module.Types.Add(type);
        return constructor;
    }
}
